"""Run every benchmark."""

import platform
from datetime import date

from tests.bench import browser, core

print(f"{date.today()}, {platform.machine()}, Python {platform.python_version()}\n")
core.run()
print()
browser.run()
