"""Page configuration and navigation, nothing else."""

from pathlib import Path

import streamlit as st

from console.components import mode

STATIC = Path(__file__).parent / "static"

st.set_page_config(page_title="jeval console", page_icon=str(STATIC / "favicon.png"), layout="wide")
st.logo(str(STATIC / "logo.svg"), size="small", link=None)
PAGES = [
    st.Page("views/explore.py", title="Explore", default=True),
    st.Page("views/side_by_side.py", title="Side by side", url_path="side-by-side"),
    st.Page("views/datasets.py", title="Datasets", url_path="datasets"),
    st.Page("views/runs.py", title="Runs", url_path="runs"),
    st.Page("views/compare.py", title="Compare", url_path="compare"),
]
st.navigation(PAGES, position="top").run()
mode.follow()
