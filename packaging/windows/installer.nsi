; The installer for Windows: for one user, without an administrator. make_installer.py compiles it, and gives
; BUNDLE, MARKER, ICON, PICTURE, OUT, VERSION, NUMBERS, SIZE (in units of 1024 bytes), OWNER, SIGN (a command),
; and perhaps TARGET.
;
; /S installs without asking, /PATH adds the folder to the user's PATH, and /D=FOLDER, which comes last and without
; quotes, chooses the folder. The exit code is 0, 2 if the user stopped it, or one of the refusals below.
;
; A folder that was installed has the file installed.txt, with the names of what the installer put there. An update and
; the uninstaller remove these names and nothing else, so that no file of an older version is left, and none of somebody
; else is removed.

!ifdef TARGET
  Target ${TARGET}
!else
  Unicode true
!endif

!define TITLE "Corpus Explorer"
!define PROGRAM "${TITLE}.exe"
!define CONSOLE "corpus-explorer.exe"
!define MARK "installed.txt"
!define FIRST_LINE "${TITLE}: an update and the uninstaller remove these:"
!define ENTRY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${TITLE}"
!define CLASSES "Software\Classes"
!define KIND "CorpusExplorer.Project"
!define FOLDERS "${CLASSES}\Directory\shell\CorpusExplorer"

!define OTHERS_FOLDER 3
!define RUNS 4
!define NO_SPACE 5
!define NOT_WRITTEN 6
!define OLD_WINDOWS 7

!define /math NEEDED_MB ${SIZE} / 1024

Name "${TITLE}"
OutFile "${OUT}"
BrandingText "${TITLE} ${VERSION}"
InstallDir "$LOCALAPPDATA\Programs\${TITLE}"
; An update goes where the older version is.
InstallDirRegKey HKCU "${ENTRY}" "InstallLocation"
RequestExecutionLevel user
ManifestDPIAware true
ManifestSupportedOS Win10
SetCompressor /SOLID lzma
; Both programs of the folder contain the same modules: the second costs nothing if this reaches back to the first.
SetCompressorDictSize 64
!finalize '${SIGN} "%1"' = 0
!uninstfinalize '${SIGN} "%1"' = 0

!include MUI2.nsh
!include LogicLib.nsh
!include FileFunc.nsh
!include WordFunc.nsh
!include WinVer.nsh
!include x64.nsh

Var Folder
Var Ours
Var Left
Var Refusal

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${PICTURE}"
!define MUI_COMPONENTSPAGE_SMALLDESC
!define MUI_PAGE_CUSTOMFUNCTION_LEAVE leaveFolder
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\${PROGRAM}"
!insertmacro MUI_PAGE_FINISH
!define MUI_UNCONFIRMPAGE_TEXT_TOP "The program is removed. Your indexes and projects, and its settings and caches in $LOCALAPPDATA\corpus-explorer, are kept. Remove that folder yourself if you do not need them."
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English

VIProductVersion "${NUMBERS}"
VIAddVersionKey "ProductName" "${TITLE}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Installer of ${TITLE}"
VIAddVersionKey "CompanyName" "${OWNER}"
VIAddVersionKey "LegalCopyright" "2026 The Corpus Explorer authors. Apache License 2.0"

; Stops with a sentence for people and a number for scripts.
!macro Refuse code sentence
  MessageBox MB_OK|MB_ICONSTOP "${sentence}" /SD IDOK
  SetErrorLevel ${code}
  Abort "${sentence}"
!macroend
!define Refuse "!insertmacro Refuse"

; What the installer and the uninstaller both need; NSIS wants the functions of the latter to begin with "un.".
!macro SharedFunctions un

; $Ours is 1 if the installer made $Folder.
Function ${un}isOurs
  StrCpy $Ours 0
  ClearErrors
  FileOpen $R0 "$Folder\${MARK}" r
  ${IfNot} ${Errors}
    FileRead $R0 $R1
    FileClose $R0
    ${If} $R1 == "${FIRST_LINE}$\r$\n"
      StrCpy $Ours 1
    ${EndIf}
  ${EndIf}
FunctionEnd

; $Left is the program of $R2 if it runs: Windows lets nobody write to it then.
Function ${un}findRunning
  ${If} ${FileExists} "$Folder\$R2"
    ClearErrors
    FileOpen $R0 "$Folder\$R2" a
    ${If} ${Errors}
      StrCpy $Left $R2
    ${Else}
      FileClose $R0
    ${EndIf}
  ${EndIf}
FunctionEnd

Function ${un}waitUntilClosed
  ${Do}
    StrCpy $Left ""
    StrCpy $R2 "${PROGRAM}"
    Call ${un}findRunning
    StrCpy $R2 "${CONSOLE}"
    Call ${un}findRunning
    ${If} $Left == ""
      ${Break}
    ${EndIf}
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$Folder\$Left is in use. Close ${TITLE}, then choose Retry. A build that runs is continued at the next start." /SD IDCANCEL IDRETRY +3
    SetErrorLevel ${RUNS}
    Abort "$Folder\$Left is in use. Close ${TITLE} and try again."
  ${Loop}
FunctionEnd

; Removes $R1 of $Folder, which is a name and not a path; $Left is its path if it could not be removed.
Function ${un}removeName
  ${GetFileName} "$Folder\$R1" $R2
  ${If} $R1 == ""
  ${OrIf} $R1 == "."
  ${OrIf} $R1 == ".."
  ${OrIf} $R1 != $R2
    Return
  ${EndIf}
  ${If} ${FileExists} "$Folder\$R1\*.*"
    RMDir /r "$Folder\$R1"
  ${Else}
    Delete "$Folder\$R1"
  ${EndIf}
  ${If} ${FileExists} "$Folder\$R1"
    StrCpy $Left "$Folder\$R1"
  ${EndIf}
FunctionEnd

; Removes what the installer put into $Folder. The list goes last: with it, what was interrupted can be done again.
Function ${un}removeInstalled
  StrCpy $Left ""
  FileOpen $R0 "$Folder\${MARK}" r
  FileRead $R0 $R1
  ${Do}
    ClearErrors
    FileRead $R0 $R1
    ${If} ${Errors}
      ${Break}
    ${EndIf}
    StrCpy $R1 $R1 -2
    Call ${un}removeName
  ${Loop}
  FileClose $R0
  ${If} $Left != ""
    ${Refuse} ${RUNS} "$Left could not be removed. Close all programs that use it, then try again."
  ${EndIf}
  Delete "$Folder\uninstall.exe"
  Delete "$Folder\${MARK}"
FunctionEnd

; Adds ("+") or removes ("-", as $R3) the folder in the user's PATH. NSIS cuts what is longer than its strings, so a
; long PATH is left alone.
Function ${un}changePath
  ; 0x80000001 is HKEY_CURRENT_USER, and 1 the right to read a value. The size is in bytes, two for each letter.
  StrCpy $R4 0
  System::Call 'advapi32::RegOpenKeyExW(p 0x80000001, w "Environment", i 0, i 1, *p .R5) i .R6'
  ${If} $R6 = 0
    System::Call 'advapi32::RegQueryValueExW(p R5, w "Path", p 0, p 0, p 0, *i .R4) i .R6'
    ${If} $R6 <> 0
      StrCpy $R4 0
    ${EndIf}
    System::Call 'advapi32::RegCloseKey(p R5)'
  ${EndIf}
  StrLen $R6 $Folder
  IntOp $R4 $R4 / 2
  IntOp $R4 $R4 + $R6
  IntOp $R4 $R4 + 2
  ${If} $R4 >= ${NSIS_MAX_STRLEN}
    DetailPrint "The PATH is too long to be changed here. Change it in the settings of Windows: $Folder"
    Return
  ${EndIf}
  ReadRegStr $R4 HKCU "Environment" "Path"
  ${WordAdd} "$R4" ";" "$R3$Folder" $R5
  ${If} $R5 != $R4
    ${If} $R5 == ""
      DeleteRegValue HKCU "Environment" "Path"
    ${Else}
      WriteRegExpandStr HKCU "Environment" "Path" "$R5"
    ${EndIf}
    SendMessage ${HWND_BROADCAST} ${WM_WININICHANGE} 0 "STR:Environment" /TIMEOUT=5000
  ${EndIf}
FunctionEnd

; Tells the Explorer that types of files have changed.
Function ${un}tellShell
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
FunctionEnd

!macroend
!insertmacro SharedFunctions ""
!insertmacro SharedFunctions "un."

; $Refusal is a sentence if $INSTDIR has files of others.
Function lookAtFolder
  StrCpy $Refusal ""
  StrCpy $Folder $INSTDIR
  Call isOurs
  ${DirState} "$INSTDIR" $R0
  ${If} $Ours = 0
  ${AndIf} $R0 = 1
    StrCpy $Refusal "$INSTDIR has files that are not from this installer, so nothing was installed. Choose a new or an empty folder."
  ${EndIf}
FunctionEnd

Function leaveFolder
  Call lookAtFolder
  ${If} $Refusal != ""
    MessageBox MB_OK|MB_ICONEXCLAMATION "$Refusal"
    Abort
  ${EndIf}
FunctionEnd

; An older version in another folder: it would lose its entry in the list of programs.
Function removeElsewhere
  ReadRegStr $Folder HKCU "${ENTRY}" "InstallLocation"
  ${If} $Folder != ""
  ${AndIf} $Folder != $INSTDIR
    Call isOurs
    ${If} $Ours = 1
      Call waitUntilClosed
      StrCpy $R3 "-"
      Call changePath
      Call removeInstalled
      RMDir "$Folder"
    ${EndIf}
  ${EndIf}
FunctionEnd

Function checkSpace
  ${GetRoot} "$INSTDIR" $R0
  ${DriveSpace} "$R0\" "/D=F /S=M" $R1
  ${If} $R1 != ""
  ${AndIf} $R1 < ${NEEDED_MB}
    ${Refuse} ${NO_SPACE} "${TITLE} needs ${NEEDED_MB} MB, and $R0 has $R1 MB left. Nothing was installed. Make space, or choose another disk."
  ${EndIf}
FunctionEnd

Section "${TITLE}" programSection
  SectionIn RO
  ; Without pages, nothing was checked before.
  Call lookAtFolder
  ${If} $Refusal != ""
    ${Refuse} ${OTHERS_FOLDER} "$Refusal"
  ${EndIf}
  Call checkSpace
  Call removeElsewhere
  StrCpy $Folder $INSTDIR
  Call isOurs
  ${If} $Ours = 1
    Call waitUntilClosed
    Call removeInstalled
  ${EndIf}

  ClearErrors
  SetOutPath "$INSTDIR"
  ; Before the files: an installation that is interrupted can be done again.
  File "/oname=${MARK}" "${MARKER}"
  WriteUninstaller "$INSTDIR\uninstall.exe"
!ifdef NSIS_WIN32_MAKENSIS
  File /r "${BUNDLE}\*"
!else
  File /r "${BUNDLE}/*"
!endif
  ${If} ${Errors}
    ${Refuse} ${NOT_WRITTEN} "Not all files could be written to $INSTDIR. Check that you may write there, then install again."
  ${EndIf}

  ; Where the program looks first for files: not in its own folder.
  SetOutPath "$PROFILE"
  CreateShortcut "$SMPROGRAMS\${TITLE}.lnk" "$INSTDIR\${PROGRAM}"

  ; Project files are ours. Tables and texts are left to the programs that open them.
  WriteRegStr HKCU "${CLASSES}\${KIND}" "" "${TITLE} project"
  WriteRegStr HKCU "${CLASSES}\${KIND}\DefaultIcon" "" '"$INSTDIR\${PROGRAM}",0'
  WriteRegStr HKCU "${CLASSES}\${KIND}\shell\open\command" "" '"$INSTDIR\${PROGRAM}" "%1"'
  WriteRegStr HKCU "${CLASSES}\.cxproj" "" "${KIND}"
  WriteRegStr HKCU "${CLASSES}\.cxproj\OpenWithProgids" "${KIND}" ""
  WriteRegStr HKCU "${FOLDERS}" "" "Open in ${TITLE}"
  WriteRegStr HKCU "${FOLDERS}" "Icon" '"$INSTDIR\${PROGRAM}",0'
  WriteRegStr HKCU "${FOLDERS}\command" "" '"$INSTDIR\${PROGRAM}" "%1"'
  Call tellShell

  WriteRegStr HKCU "${ENTRY}" "DisplayName" "${TITLE}"
  WriteRegStr HKCU "${ENTRY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${ENTRY}" "DisplayIcon" "$INSTDIR\${PROGRAM}"
  WriteRegStr HKCU "${ENTRY}" "Publisher" "${OWNER}"
  WriteRegStr HKCU "${ENTRY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${ENTRY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${ENTRY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${ENTRY}" "EstimatedSize" ${SIZE}
  WriteRegDWORD HKCU "${ENTRY}" "NoModify" 1
  WriteRegDWORD HKCU "${ENTRY}" "NoRepair" 1
SectionEnd

Section /o "Command line: add the folder to the PATH" pathSection
  StrCpy $Folder $INSTDIR
  StrCpy $R3 "+"
  Call changePath
SectionEnd

!insertmacro MUI_FUNCTION_DESCRIPTION_BEGIN
  !insertmacro MUI_DESCRIPTION_TEXT ${programSection} "The program, its entry in the Start menu, and the type of its project files."
  !insertmacro MUI_DESCRIPTION_TEXT ${pathSection} "The command corpus-explorer then works in every new terminal."
!insertmacro MUI_FUNCTION_DESCRIPTION_END

Function .onInit
  ${IfNot} ${RunningX64}
  ${OrIfNot} ${AtLeastWin10}
    MessageBox MB_OK|MB_ICONSTOP "${TITLE} needs Windows 10 or newer, with 64 bits." /SD IDOK
    SetErrorLevel ${OLD_WINDOWS}
    Quit
  ${EndIf}
  ${GetParameters} $R0
  ClearErrors
  ${GetOptions} $R0 "/PATH" $R1
  ${IfNot} ${Errors}
    !insertmacro SelectSection ${pathSection}
  ${EndIf}
FunctionEnd

Section "Uninstall"
  StrCpy $Folder $INSTDIR
  Call un.isOurs
  ${If} $Ours = 0
    ${Refuse} ${OTHERS_FOLDER} "$INSTDIR has no list of what was installed (${MARK}), so nothing was removed. Install ${TITLE} in a new folder first, or remove this folder yourself."
  ${EndIf}
  Call un.waitUntilClosed
  Call un.removeInstalled
  ; Not if somebody else has put a file there.
  RMDir "$INSTDIR"
  StrCpy $R3 "-"
  Call un.changePath
  Delete "$SMPROGRAMS\${TITLE}.lnk"
  DeleteRegKey HKCU "${FOLDERS}"
  DeleteRegKey /ifempty HKCU "${CLASSES}\Directory\shell"
  DeleteRegKey /ifempty HKCU "${CLASSES}\Directory"
  DeleteRegKey HKCU "${CLASSES}\${KIND}"
  DeleteRegValue HKCU "${CLASSES}\.cxproj\OpenWithProgids" "${KIND}"
  DeleteRegKey /ifempty HKCU "${CLASSES}\.cxproj\OpenWithProgids"
  ReadRegStr $R0 HKCU "${CLASSES}\.cxproj" ""
  ${If} $R0 == "${KIND}"
    DeleteRegValue HKCU "${CLASSES}\.cxproj" ""
  ${EndIf}
  DeleteRegKey /ifempty HKCU "${CLASSES}\.cxproj"
  DeleteRegKey HKCU "${ENTRY}"
  Call un.tellShell
SectionEnd
