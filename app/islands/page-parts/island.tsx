/**
 * What needs a script on the few pages that have it: `entry.client.ts` imports this file where one of these elements is in
 * the page, so that all other pages do without it.
 */
for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const text = document.getElementById(button.dataset.copy ?? "")?.textContent;
    if (text) void navigator.clipboard.writeText(text);
  });
}

/**
 * A choice that other fields depend on submits its form by the button next to it. With the keyboard it submits on blur,
 * since arrow keys pass through choices without choosing.
 */
for (const select of document.querySelectorAll<HTMLSelectElement>("select[data-submits]")) {
  const button = document.getElementById(select.dataset.submits ?? "") as HTMLButtonElement | null;
  const send = () => select.form?.requestSubmit(button);
  let byKey = false;
  select.addEventListener("keydown", () => {
    byKey = true;
  });
  select.addEventListener("pointerdown", () => {
    byKey = false;
  });
  select.addEventListener("change", () => {
    if (byKey) select.addEventListener("blur", send, { once: true });
    else send();
  });
}

// A live region is announced when it changes, not when it arrives with the page, so its text is inserted again.
for (const message of document.querySelectorAll("[data-toast]")) {
  const content = [...message.childNodes];
  message.replaceChildren();
  // Long enough for assistive technology to notice the empty region, short enough not to be visible.
  setTimeout(() => message.replaceChildren(...content), 50);
}

// A dialog opened by markup is not modal: until it closes, nothing outside it may take the focus.
for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog[open]")) {
  const beside: HTMLElement[] = [];
  for (let inner: Element = dialog; inner !== document.body; inner = inner.parentElement!) {
    for (const other of inner.parentElement!.children as unknown as HTMLElement[]) {
      if (other !== inner && !other.matches("[inert],[data-above-dialogs]")) beside.push(other);
    }
  }
  const hold = () => {
    for (const element of beside) element.inert = dialog.open;
  };
  hold();
  // Marks the dialog for the styles, which would do the same without script.
  dialog.dataset.alone = "";
  // Not in its event, which browsers delay until the next frame: keys pressed meanwhile would be lost.
  new MutationObserver(hold).observe(dialog, { attributeFilter: ["open"] });
}
