import type { Challenge } from "altcha-lib/types";
import type { HumanCheck } from "#contracts/security-service/human-check.ts";
import { href } from "~/href";
import { solveProof, usefulUntil } from "./solve-proof";

/** How long a form submitted before the check is done waits for it; then it is sent without. */
const patienceMilliseconds = 3_000;

const words = { solving: "Checking that you're human…", solved: "Verified", none: "" };

async function fetchChallenge(): Promise<Challenge> {
  const response = await fetch(href("/human-check"));
  const check = (await response.json()) as HumanCheck;
  if (check.kind !== "proofOfWork") throw new Error("the check has changed");
  return check.challenge as unknown as Challenge;
}

/**
 * Solves the proof of work of its form, once the form gets the focus. On any failure the field stays empty: the form
 * works without.
 */
export function hydrate(element: HTMLElement) {
  const form = element.closest("form");
  const field = element.querySelector<HTMLInputElement>("[name=recaptchaToken]");
  const status = element.querySelector("[role=status]");
  // Browsers offer `subtle` on secure origins only.
  if (!form || !field || !status || !globalThis.crypto?.subtle) return;

  const { checkedIntent, ...props } = JSON.parse(element.dataset.props ?? "{}");
  let challenge: Challenge | undefined = props.challenge;
  let endsAt = challenge ? usefulUntil(challenge, Date.now()) : 0;
  let solving: Promise<void> | undefined;
  let settled = false;
  // A solution restored by the browser has been used.
  field.value = "";

  async function solve(): Promise<void> {
    status!.textContent = words.solving;
    try {
      if (!challenge || Date.now() > endsAt) {
        challenge = await fetchChallenge();
        endsAt = usefulUntil(challenge, Date.now());
      }
      field!.value = await solveProof(challenge);
      status!.textContent = words.solved;
    } catch {
      status!.textContent = words.none;
    }
    settled = true;
  }

  function forget() {
    field!.value = "";
    challenge = undefined;
    solving = undefined;
    settled = false;
  }

  function begin(): Promise<void> {
    if (settled && field!.value && Date.now() > endsAt) forget();
    solving ??= solve();
    return solving;
  }

  form.addEventListener("focusin", begin);
  new IntersectionObserver((entries, observer) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    begin();
  }).observe(element);

  let waiting = false;
  let waited = false;
  form.addEventListener("submit", (event) => {
    const pressed = (event.submitter as HTMLButtonElement | null)?.value;
    if (checkedIntent && pressed !== checkedIntent) return;
    const solved = begin();
    if (settled || waited) return;
    event.preventDefault();
    if (waiting) return;
    waiting = true;
    const patience = new Promise((resolve) => setTimeout(resolve, patienceMilliseconds));
    void Promise.race([solved, patience]).then(() => {
      waited = true;
      form.requestSubmit(event.submitter);
      waiting = waited = false;
    });
  });

  // The page came from the back/forward cache: its solution has been used.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) forget();
  });
}
