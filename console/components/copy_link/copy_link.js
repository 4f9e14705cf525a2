// A button that copies the page's address, frame and order included. Where the clipboard is closed, the address is shown to copy by hand.
export default function ({ parentElement }) {
  const [button, field, said] = ["button", "input", "[role=status]"].map((s) => parentElement.querySelector(s));
  button.onclick = async () => {
    const url = new URL(location.href);
    url.searchParams.delete("present");
    url.searchParams.delete("embed");
    try {
      await navigator.clipboard.writeText(url.href);
      said.textContent = "Link copied";
    } catch {
      field.hidden = false;
      field.value = url.href;
      field.select();
      said.textContent = "Copy the address from the field";
    }
  };
}
