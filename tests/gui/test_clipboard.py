"""The clipboard at the end of the program."""

import subprocess
import sys

COPY = """
import sys
from PySide6.QtWidgets import QApplication
from explorer.gui.app.clipboard import detach_clipboard
from explorer.gui.widgets.texts.plain_text import PlainText
application = QApplication([])
text = PlainText()
text.setPlainText("some text")
text.selectAll()
text.copy()
detach_clipboard()
print(QApplication.clipboard().text())
# As pytest does: the application is still there when the interpreter ends.
sys.kept = application
"""


def test_a_copied_text_does_not_outlive_the_interpreter():
    done = subprocess.run([sys.executable, "-c", COPY], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "some text", "")
