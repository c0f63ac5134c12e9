import { writeCode } from "./write-code";

const lost =
  "The portal did not respond, so it is unknown whether the request was sent. Check your API, then try again.";

/** Sends the form and shows the response below it. Never retries: a request may have effects. */
export function sendWithoutReload(form: HTMLElement): void {
  const { address } = form.dataset;
  if (!(form instanceof HTMLFormElement) || !address) return;
  writeCode(form, address);
  let plain = false;
  let sending = false;

  form.addEventListener("submit", (event) => {
    const location = document.getElementById("response");
    if (plain || !location) return;
    event.preventDefault();
    // A second press must not send a second request.
    if (sending) return;
    sending = true;
    const button = event.submitter;
    button?.setAttribute("aria-busy", "true");
    const sendPlainly = () => {
      plain = true;
      form.requestSubmit(button);
    };
    fetch(address, { method: "POST", body: toBody(form) })
      .then(async (response) => {
        // Signed out in the meantime: the plain form leads to sign-in.
        if (response.redirected) return sendPlainly();
        const isMarkup = response.headers.get("content-type")?.startsWith("text/html");
        if (!isMarkup || (!response.ok && response.status !== 422)) throw new Error(lost);
        location.innerHTML = await response.text();
        location.scrollIntoView({ block: "nearest" });
        location.querySelector<HTMLElement>("[autofocus]")?.focus({ preventScroll: true });
      })
      .catch(() => {
        location.textContent = lost;
      })
      .finally(() => {
        sending = false;
        button?.removeAttribute("aria-busy");
      });
  });
}

/** In the form's own encoding. */
function toBody(form: HTMLFormElement): FormData | URLSearchParams {
  const fields = new FormData(form);
  if (form.enctype === "multipart/form-data") return fields;
  return new URLSearchParams([...fields] as [string, string][]);
}
