import { JsonReporter } from "vitest/reporters";

/** A failed `expect.poll` says only that time ran out; its cause is the difference that it saw last. */
export default class extends JsonReporter {
  async onFinished(files = this.ctx.state.getFiles(), ...rest) {
    for (const file of files) nameCauses(file);
    await super.onFinished(files, ...rest);
  }
}

function nameCauses(task) {
  for (const error of task.result?.errors ?? []) {
    if (error.cause?.message) error.stack = `${error.cause.message}\n${error.stack}`;
  }
  for (const child of task.tasks ?? []) nameCauses(child);
}
