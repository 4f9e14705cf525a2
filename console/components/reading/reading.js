// The result card: the number, the word, the gauge, what the number depends on. Text by textContent only.
export default function ({ data, parentElement }) {
  const find = (selector) => parentElement.querySelector(selector);
  const make = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  const breakable = (text) => {                       // a signature may break after its separators only
    const code = document.createElement("code");
    text.split("|").forEach((part, i) => code.append(...(i ? ["|", document.createElement("wbr")] : []), part));
    return code;
  };
  const { gauge } = data;
  const word = gauge.passed ? "pass" : "fail";
  const share = (value) => 100 * Math.max(0, Math.min(1, (value - gauge.min) / (gauge.max - gauge.min)));
  find(".card").setAttribute("aria-label", data.alt);
  find(".score").textContent = gauge.label;
  find(".score").classList.toggle("long", gauge.label.length > 6);
  find(".verdict").textContent = `${gauge.passed ? "✓" : "✗"}\u00a0${word}`;
  find(".verdict").className = `verdict ${word}`;
  find(".delta").textContent = data.delta ?? "";
  find(".track").className = `track ${word}`;
  find(".fill").style.width = `${share(gauge.value)}%`;
  const tick = find(".tick");
  tick.style.left = `${share(gauge.threshold)}%`;
  tick.classList.toggle("edge", share(gauge.threshold) > 90);
  tick.firstElementChild.textContent = data.threshold;
  const base = find(".base");
  base.hidden = data.base == null;
  if (data.base != null) base.style.left = `${share(data.base)}%`;
  const [low, high] = parentElement.querySelectorAll(".end");
  low.textContent = gauge.min;
  high.textContent = gauge.max;
  low.classList.toggle("hidden", share(gauge.threshold) < 12);
  high.classList.toggle("hidden", share(gauge.threshold) > 85);
  find("ul").replaceChildren(...data.warnings.map((text) => make("li", text)));
  find("dl").replaceChildren(...data.facts.flatMap(([name, text, mono]) => {
    const cell = document.createElement("dd");
    cell.append(mono ? breakable(text) : text);
    return [make("dt", name), cell];
  }));
}
