// Draws the figures in the reader's mode; colours are slots that are swapped here, as Streamlit does in the console.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const root = getComputedStyle(document.documentElement);
  const slot = /^#0000([0-3]\d)$|(?<=style="color:)#0000([0-3]\d)/g;

  const painted = (value, colors) => {
    if (typeof value === "string") return value.replace(slot, (all, a, b) => colors[Number(a ?? b) - 1] ?? all);
    if (Array.isArray(value)) return value.map((each) => painted(each, colors));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, painted(each, colors)]));
  };

  const draw = (isDark, width) => data.figures.forEach((figure, i) => {
    const { data: traces, layout } = painted(figure, isDark ? data.dark : data.light);
    const [paper, ink, line] = isDark ? ["#1C2024", "#E4E7EA", "#30363C"] : ["#FFFFFF", "#12171C", "#DDDEDE"];
    Object.assign(layout, {
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", autosize: true, width,
      font: { ...layout.font, family: root.fontFamily, color: ink },
      hoverlabel: { bgcolor: paper, bordercolor: line, font: { size: 12, color: ink, family: root.fontFamily }, align: "left" },
    });
    Plotly.react(`plot-${i}`, traces, layout, { displayModeBar: false, responsive: true });
  });

  draw(dark.matches);
  dark.addEventListener("change", () => draw(dark.matches));
  window.addEventListener("beforeprint", () => draw(false, 640));       // paper is light, and narrower than most screens
  window.addEventListener("afterprint", () => draw(dark.matches));
})();
