/** Sends the form and shows what came back below it. Whatever fails here, the form is sent the plain way instead. */
export function sendWithoutReload(form: HTMLElement): void {
  const { address } = form.dataset;
  if (!(form instanceof HTMLFormElement) || !address) return;
  let plain = false;

  form.addEventListener("submit", (event) => {
    const place = document.getElementById("response");
    if (plain || !place) return;
    event.preventDefault();
    const button = event.submitter;
    button?.setAttribute("aria-busy", "true");
    const sendPlainly = () => {
      plain = true;
      form.requestSubmit(button);
    };
    fetch(address, { method: "POST", body: new URLSearchParams([...new FormData(form)] as [string, string][]) })
      .then(async (answer) => {
        const isMarkup = answer.headers.get("content-type")?.startsWith("text/html");
        if (answer.redirected || !isMarkup || (!answer.ok && answer.status !== 422)) return sendPlainly();
        place.innerHTML = await answer.text();
        place.scrollIntoView({ block: "nearest" });
        place.querySelector<HTMLElement>("[autofocus]")?.focus({ preventScroll: true });
      })
      .catch(sendPlainly)
      .finally(() => button?.removeAttribute("aria-busy"));
  });
}
