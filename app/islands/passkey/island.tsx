import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";

const words = {
  unsupported: "Passkeys aren't available in this browser. The portal's address must start with https.",
  asking: "Your device asks you now.",
  known: "This device has a passkey of your account already.",
  cancelled: "Nothing was sent: it was cancelled or took too long.",
  failed: "Your device couldn't create a passkey.",
};

function toWords(error: unknown): string {
  const { name } = error as Error;
  if (name === "InvalidStateError") return words.known;
  return name === "NotAllowedError" || name === "AbortError" ? words.cancelled : words.failed;
}

/** Asks the device when the form's button is pressed, and sends its response with the form. */
export function hydrate(element: HTMLElement): void {
  const form = element as HTMLFormElement;
  const button = form.querySelector<HTMLButtonElement>("button");
  const field = form.querySelector<HTMLInputElement>("[name=credential]");
  const status = form.querySelector("[role=status]");
  if (!button || !field || !status) return;
  const options = JSON.parse(form.dataset.options ?? "{}");
  const host: string = options.rp?.id ?? options.rpId;
  const say = (sentence: string) => {
    status.textContent = sentence;
  };
  if (!browserSupportsWebAuthn() || location.hostname !== host) {
    say(browserSupportsWebAuthn() ? `Passkeys work at ${host} only: open the portal there.` : words.unsupported);
    return;
  }

  async function ask(): Promise<void> {
    button!.disabled = true;
    say(words.asking);
    try {
      const credential = options.rp
        ? await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
        : await startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
      field!.value = JSON.stringify(credential);
      form.submit();
    } catch (error) {
      say(toWords(error));
      button!.disabled = false;
    }
  }
  button.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void ask();
  });
}
