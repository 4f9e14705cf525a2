"""Run every benchmark."""

import platform
from datetime import date

from tests.bench import batch, browser, compare, core, embed, files, judges

print(f"{date.today()}, {platform.machine()}, Python {platform.python_version()}\n")
core.run()
print()
batch.run()
print()
files.run()
print()
judges.run()
print()
embed.run()
print()
compare.run()
print()
browser.run()
