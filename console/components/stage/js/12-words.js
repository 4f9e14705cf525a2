// Numbers and words. Three decimals in pictures, six in the arithmetic, a true minus sign.
const num = (x, digits = 3, sign = false) => {
  const text = Math.abs(x).toFixed(digits);
  const zero = Number(text) === 0;
  return (zero ? "" : x < 0 ? "−" : sign ? "+" : "") + text;
};
const short = (x) => String(Number(x.toFixed(3))).replace("-", "−");
const count = (n) => n.toLocaleString("en-US");
const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

const NAMES = ["", "unigrams", "bigrams", "trigrams"];
const gramName = (n) => NAMES[n] ?? `${n}-grams`;
const oneGram = (n) => gramName(n).slice(0, -1);
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const STATUS_WORDS = { hit: "counted", over: "over the limit", miss: "not in the other text" };
const RANK = { hit: 0, over: 1, miss: 2 };

/** A value of the arithmetic: whole numbers as they are, others with six decimals. */
function exact(value) {
  if (typeof value !== "number") return value ?? "–";
  return Number.isInteger(value) ? count(value).replace("-", "−") : num(value, 6);
}
