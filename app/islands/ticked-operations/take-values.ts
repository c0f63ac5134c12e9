/**
 * Shows the values from a GET's response below a field, and fills it with the selected one. The markup is that of the
 * page without script; the server sends the request either way.
 */
export function takeValues(form: HTMLFormElement): void {
  let isUnderWay = false;

  form.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>("button[data-takes], button[data-fills]");
    if (!button) return;
    const { takes, fills, value = "" } = button.dataset;
    const field = document.getElementById(takes ?? fills ?? "");
    if (!(field instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (fills) {
      field.value = value;
      field.focus();
    } else if (!isUnderWay) {
      isUnderWay = true;
      button.setAttribute("aria-busy", "true");
      void take(form, button).finally(() => {
        isUnderWay = false;
        button.removeAttribute("aria-busy");
      });
    }
  });
}

async function take(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  const sendPlainly = () => {
    const hidden = Object.assign(document.createElement("input"), { type: "hidden", name: "intent" });
    hidden.value = button.value;
    form.append(hidden);
    form.submit();
  };
  try {
    const body = new URLSearchParams([...new FormData(form, button)] as [string, string][]);
    const response = await fetch(location.href, { method: "POST", body, headers: { accept: "text/html" } });
    if (!response.ok || response.redirected) return sendPlainly();
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const [here, there] = [document.getElementById("values"), page.getElementById("values")];
    if (!here || !there) return sendPlainly();
    here.innerHTML = there.innerHTML;
    const fits = ({ dataset }: HTMLElement) => dataset.fills === button.dataset.takes;
    const first = [...here.querySelectorAll<HTMLButtonElement>("button[data-fills]")].find(fits);
    (first ?? here.querySelector<HTMLButtonElement>(`[data-takes="${CSS.escape(button.dataset.takes!)}"]`))?.focus();
  } catch {
    sendPlainly();
  }
}
