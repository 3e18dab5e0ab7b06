"""Make the program as one folder that needs no Python, and pack it.

python packaging/bundle/make.py WHEEL FOLDER [--record] [--releases ADDRESS PAGE]

Installs WHEEL in a new environment in FOLDER, and makes FOLDER/corpus-explorer and an archive of it from what is
installed. It never looks at the sources: these have no compiled engine. Fails if a size exceeds the recorded one by
5 %; `--record` records the sizes of this run. ADDRESS answers with JSON that has the newest version, and PAGE is where
people find it; without them, the program does not know where to look for a newer one.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
SIZES = HERE / "sizes.json"
NAME = "corpus-explorer"
TITLE = "Corpus Explorer"
"""The program without a console, on Windows and macOS."""
IDENTIFIER = "corpus-explorer.CorpusExplorer"
"""By which macOS knows it: letters, digits, hyphens and dots only."""
MOST_GROWTH = 1.05
LARGEST = 15

EXTRAS = "serve,documents"
LEFT_OUT = (
    "tkinter", "pytest", "IPython", "pandas", "setuptools", "pygments", "huggingface_hub", "hf_xet", "yaml",
    "pyarrow.flight", "pyarrow.tests", "numpy.tests", "numpy.f2py", "PySide6.QtTest", "PySide6.QtNetwork",
    "pyqtgraph.opengl", "pyqtgraph.examples", "pyqtgraph.jupyter", "sqlite3", "httptools",
    # `entry.py` has a stand-in: pyqtgraph imports it whatever is drawn.
    "PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets",
)  # fmt: skip
"""Modules that nothing of the program imports, or only if somebody else's code does."""
UNUSED = (
    # Flight, clouds and other formats, which read or write no file that the program knows.
    "pyarrow/libarrow_flight*", "pyarrow/_flight*", "pyarrow/libarrow_python_flight*", "pyarrow/libarrow_s3*",
    "pyarrow/_s3fs*", "pyarrow/_gcsfs*", "pyarrow/_azurefs*", "pyarrow/_hdfs*", "pyarrow/include", "pyarrow/tests",
    "pyarrow/_orc*", "pyarrow/src", "pyarrow/**/*.pyx", "pyarrow/**/*.pxi", "pyarrow/**/*.pxd",
    # Copies of one library: a wheel has no links. Nothing is linked to these two names.
    "pyarrow/libarrow_python*.so", "pyarrow/libarrow_python*.so.*.*.*",
    # Displays without a window manager, and the look of GTK with the libraries that it brings.
    "PySide6/Qt/plugins/platforms/libqeglfs.so", "PySide6/Qt/plugins/platforms/libqlinuxfb.so",
    "PySide6/Qt/plugins/platforms/libqvkkhrdisplay.so", "PySide6/Qt/plugins/platforms/libqvnc.so",
    "PySide6/Qt/plugins/egldeviceintegrations", "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
    # Qt's network, which would bring Kerberos and more: the program asks other machines by urllib3.
    "PySide6/Qt/plugins/networkinformation", "PySide6/Qt/plugins/tls", "PySide6/Qt/plugins/generic",
    "PySide6/Qt/plugins/platforms/libqminimalegl.so",
    "PySide6/Qt/translations/qt_*", "PySide6/Qt/translations/qtwebengine*",
    # The other binding to the same library.
    "zstandard/_cffi*",
)  # fmt: skip
"""Files of installed packages that the program does not need. No other file is linked to them."""
STRIPPED = (
    "_internal/libpython*.so*",
    "_internal/python3*/lib-dynload/*.so",
    "_internal/_fastsa/*.so",
    "_internal/_fastsa/fm/*.so",
    "_internal/pyarrow/*.so*",
    "_internal/tokenizers/*.so",
    "_internal/zstandard/*.so",
)
"""Libraries whose symbols for debuggers are taken out. Never those of numpy, which can no longer be loaded then."""

FACTS = ("LICENSES.txt", "sbom.cdx.json", "releases.json")
"""Files beside the program; the last one only if it is told where its releases are."""
LIBRARIES = ("*.so", "*.so.*", "*.dylib", "*.dll", "*.pyd")

NO_SAMPLE = {
    "site-packages",
    "test",
    "tests",
    "idle_test",
    "__pycache__",
    "lib2to3",
    "ensurepip",
    "config",
    "pydoc_data",
}
"""Folders of the standard library that the sample index of a bundle does without."""


def run(*command: str | Path, folder: Path | None = None, **variables: str) -> None:
    subprocess.run([str(part) for part in command], check=True, cwd=folder, env={**os.environ, **variables})


def make_environment(wheel: Path, folder: Path) -> Path:
    """A new environment with the wheel, whose interpreter is returned."""
    shutil.rmtree(folder, ignore_errors=True)
    run(sys.executable, "-m", "venv", folder)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    pip: tuple[str | Path, ...] = (python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install")
    # Reads groups of pyproject.toml.
    run(*pip, "pip>=25.1")
    run(*pip, f"{wheel}[{EXTRAS}]", "--group", f"{HERE.parent.parent / 'pyproject.toml'}:bundle")
    remove(next(folder.glob("**/site-packages")), UNUSED)
    return python


def forget_place(data: Path) -> None:
    """Remove the file in which pip keeps where the wheel was, and its row in the list of files."""
    for place in data.glob("*.dist-info/direct_url.json"):
        place.unlink()
        record = place.with_name("RECORD")
        rows = [row for row in record.read_text("utf-8").splitlines(keepends=True) if "direct_url.json," not in row]
        record.write_text("".join(rows), encoding="utf-8")


def forget_texts(made: Path) -> None:
    """Remove the texts of licenses that pip keeps with each package: LICENSES.txt has them all."""
    remove(made, ("_internal/*.dist-info/licenses", "_internal/*.dist-info/LICENSE*", "_internal/*.dist-info/NOTICE*"))


def remove(folder: Path, patterns: tuple[str, ...]) -> None:
    for path in sorted({path for pattern in patterns for path in folder.glob(pattern)}):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            # It may have gone with its folder.
            path.unlink(missing_ok=True)


def draw_icons(python: Path, folder: Path) -> None:
    """The icons that the programs of this system have in them; Linux has them in the menu."""
    endings = {"win32": "ico", "darwin": "icns"}
    if sys.platform in endings:
        run(python, HERE / "icons.py", folder / f"{NAME}.{endings[sys.platform]}")


def freeze(python: Path, folder: Path) -> Path:
    """Collect what is installed; gives the folder of the program."""
    draw_icons(python, folder / "work")
    command: list[str | Path] = [python, "-m", "PyInstaller", "--noconfirm", "--log-level=WARN"]
    command += [f"--distpath={folder}", f"--workpath={folder / 'work'}", HERE / f"{NAME}.spec"]
    # Python looks for modules in the current folder first: that of the sources has an engine that is not compiled.
    # Sets of modules come in the same order each time, so that two bundles of the same sources are equal.
    run(*command, folder=folder, PYTHONHASHSEED="0")
    made = folder / NAME
    for data in data_folders(folder):
        forget_place(data)
        copy_sample(data / "explorer" / "sample")
    if sys.platform == "linux":
        for path in [path for pattern in STRIPPED for path in made.glob(pattern) if not path.is_symlink()]:
            run("strip", "--strip-unneeded", path)
    return made


def write_releases(made: Path, address: str, page: str) -> None:
    """Tell the program where its releases are; it asks there only if somebody wants to know."""
    text = json.dumps({"address": address, "page": page}, indent=1)
    (made / "releases.json").write_text(text + "\n", encoding="utf-8")


def write_parts(made: Path) -> None:
    """Name the libraries in a file, by which the program sees at its start whether it is complete."""
    # Links have the same file behind them.
    libraries = [path for ending in LIBRARIES for path in (made / "_internal").rglob(ending) if not path.is_symlink()]
    names = sorted(path.relative_to(made / "_internal").as_posix() for path in libraries)
    (made / "_internal" / "parts.txt").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


def data_folders(folder: Path) -> list[Path]:
    """Where files other than code are: in the folder of the program, and in the application of macOS."""
    places = [folder / NAME / "_internal", folder / f"{TITLE}.app" / "Contents" / "Resources"]
    return [place for place in places if place.is_dir()]


def copy_sample(target: Path) -> None:
    """The standard library's sources, from which the program makes its sample index. Its tests are half of them."""
    source = Path(sysconfig.get_paths()["stdlib"])
    for path in sorted(source.rglob("*.py")):
        name = path.relative_to(source)
        if not NO_SAMPLE & set(name.parts[:-1]):
            copy = target / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


def copy_facts(made: Path, folder: Path) -> None:
    """What the folder of the program has beside it, also for the application of macOS."""
    for path in filter(Path.is_file, (made / name for name in FACTS)):
        for data in data_folders(folder)[1:]:
            shutil.copyfile(path, data / path.name)


def files(folder: Path) -> Iterator[tuple[Path, int]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path, path.stat().st_size


def largest_parts(made: Path) -> list[tuple[str, int]]:
    """The largest parts: each package, and each library that belongs to none."""
    sizes: dict[str, int] = {}
    for path, size in files(made):
        parts = path.relative_to(made).parts
        name = parts[0] if len(parts) == 1 else "/".join(parts[1 : 4 if parts[1] == "PySide6" else 2])
        sizes[name] = sizes.get(name, 0) + size
    return sorted(sizes.items(), key=lambda part: -part[1])[:LARGEST]


def pack(made: Path, target: Path) -> None:
    """Write the archive, which is the same from every machine and at every time."""
    if target.suffix == ".zip":
        _pack_zip(made, target)
    else:
        _pack_tar(made, target)


def _pack_zip(made: Path, target: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(path for path in made.rglob("*") if path.is_file()):
            # Without a time, which is that of 1980 then.
            row = zipfile.ZipInfo(f"{NAME}/{path.relative_to(made).as_posix()}")
            row.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(row, path.read_bytes())


def _pack_tar(made: Path, target: Path) -> None:
    import zstandard

    compressor = zstandard.ZstdCompressor(level=19, threads=-1)
    with (
        open(target, "wb") as file,
        compressor.stream_writer(file) as stream,
        tarfile.open(fileobj=stream, mode="w|") as tar,
    ):
        for path in sorted(made.rglob("*"), key=lambda path: (not _starts(path.relative_to(made)), path)):
            tar.add(path, f"{NAME}/{path.relative_to(made)}", recursive=False, filter=_plain)


def _starts(name: Path) -> bool:
    """Whether the program needs a file to begin: such files come first, so that it can tell of a full disk."""
    inside = name.parts[1] if name.parts[0] == "_internal" and len(name.parts) > 1 else ""
    return name.parts == (NAME,) or inside.startswith(("libpython", "python3", "base_library", "parts.txt"))


def _plain(info: tarfile.TarInfo) -> tarfile.TarInfo:
    info.uid = info.gid = info.mtime = 0
    info.uname = info.gname = "root"
    return info


def check_sizes(sizes: dict[str, int], record: bool) -> int:
    """Compare with what was recorded; gives the exit code."""
    system = f"{sys.platform}-{platform.machine()}"
    known = json.loads(SIZES.read_text(encoding="utf-8")) if SIZES.exists() else {}
    if record:
        SIZES.write_text(json.dumps({**known, system: sizes}, indent=2) + "\n", encoding="utf-8")
        return 0
    grown = {name: size for name, size in sizes.items() if size > MOST_GROWTH * known.get(system, sizes)[name]}
    for name, size in grown.items():
        print(f"{name}: {size:,} bytes, and {known[system][name]:,} were recorded", file=sys.stderr)
    return 1 if grown else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--releases", nargs=2, metavar=("ADDRESS", "PAGE"))
    args = parser.parse_args()
    folder = args.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    python = make_environment(args.wheel.resolve(), folder / "env")
    made = freeze(python, folder)
    version = args.wheel.name.split("-")[1]
    # What the system's own programs unpack; Windows has none for zstd.
    ending = "zip" if sys.platform == "win32" else "tar.zst"
    packed = folder / f"{NAME}-{version}-{sys.platform}-{platform.machine()}.{ending}"
    if args.releases:
        write_releases(made, *args.releases)
    run(python, HERE / "licenses.py", next((folder / "env").glob("**/site-packages")), made)
    forget_texts(made)
    write_parts(made)
    copy_facts(made, folder)
    if sys.platform == "win32":
        # Before it is packed, so that the archive has what the installer has.
        run(sys.executable, HERE.parent / "windows" / "sign.py", *made.glob("*.exe"))
    for name, size in largest_parts(made):
        print(f"{size / 1e6:8.1f} MB  {name}")
    pack(made, packed)
    sizes = {"installed": sum(size for _, size in files(made)), "download": packed.stat().st_size}
    print(f"{sizes['installed'] / 1e6:8.1f} MB  installed\n{sizes['download'] / 1e6:8.1f} MB  {packed.name}")
    return check_sizes(sizes, args.record)


if __name__ == "__main__":
    sys.exit(main())
