import { createHash } from "node:crypto";
import type { Fault, FaultyServer, HasFault } from "./faulty-server.ts";
import { createClock, slice } from "./stored.ts";
import { type Answer, type Call, type Handlers, refuse, type Values } from "./strict-router.ts";
import { tasksDocument } from "./tasks-document.ts";

interface Project {
  id: number;
  name: string;
  isArchived: boolean;
  createdAt: string;
}

interface Task {
  id: number;
  projectId: number;
  title: string;
  status: string;
  estimate: number | null;
  dueOn: string | null;
  labels: string[];
  createdAt: string;
}

const createProject = { method: "post", path: "/projects" } as const;
const listProjects = { method: "get", path: "/projects" } as const;
const getProject = { method: "get", path: "/projects/{projectId}" } as const;
const replaceProject = { method: "put", path: "/projects/{projectId}" } as const;
const deleteProject = { method: "delete", path: "/projects/{projectId}" } as const;
const listTasks = { method: "get", path: "/projects/{projectId}/tasks" } as const;
const createTask = { method: "post", path: "/projects/{projectId}/tasks" } as const;
const getTask = { method: "get", path: "/tasks/{taskId}" } as const;
const replaceTask = { method: "put", path: "/tasks/{taskId}" } as const;
const deleteTask = { method: "delete", path: "/tasks/{taskId}" } as const;

const faults: Fault[] = [
  {
    id: "name-with-emoji",
    what: "A project's name with a character beyond U+FFFF is a 500, since the database has three bytes a character.",
    kinds: ["serverError"],
    operations: [createProject, replaceProject],
  },
  {
    id: "empty-labels",
    what: "A task with an empty list of labels is a 500, since the insertion has no rows.",
    kinds: ["serverError"],
    operations: [createTask, replaceTask],
  },
  {
    id: "page-beyond-the-end",
    what: "A page beyond the end is a 500.",
    kinds: ["serverError"],
    operations: [listProjects],
  },
  {
    id: "second-delete-500",
    what: "Deleting a task a second time is a 500 instead of 404.",
    kinds: ["serverError", "notIdempotent"],
    operations: [deleteTask],
  },
  {
    id: "tag-of-title-only",
    what: "A task keeps its ETag when only its status, labels or date have changed.",
    kinds: ["entityTag"],
    operations: [getTask, replaceTask],
  },
  {
    id: "if-match-ignored",
    what: "A task is replaced though If-Match names an earlier version.",
    kinds: ["entityTag"],
    operations: [replaceTask],
  },
  {
    id: "never-304",
    what: "A task that has not changed is given whole though If-None-Match names its ETag.",
    kinds: ["entityTag"],
    operations: [getTask],
  },
  {
    id: "deleted-in-list",
    what: "A deleted task is still in its project's list.",
    kinds: ["usedAfterDelete"],
    operations: [listTasks],
  },
  {
    id: "change-after-delete",
    what: "A deleted project can still be replaced.",
    kinds: ["usedAfterDelete"],
    operations: [replaceProject],
  },
  {
    id: "put-appends-labels",
    what: "Replacing a task appends the labels to those that it has.",
    kinds: ["notIdempotent", "valueLost", "responseSchema"],
    operations: [replaceTask, getTask],
  },
  {
    id: "open-includes-doing",
    what: "The filter for open tasks gives those that are being done, too.",
    kinds: ["filter"],
    operations: [listTasks],
  },
  {
    id: "moment-without-zone",
    what: "The list gives createdAt without a time zone, so it is no date-time.",
    kinds: ["responseSchema"],
    operations: [listProjects],
  },
  {
    id: "delete-later-202",
    what: "Deleting a project that has tasks is an undocumented 202.",
    kinds: ["undocumentedStatus"],
    operations: [deleteProject],
  },
  {
    id: "at-least-five",
    what: "A page has five items though fewer were asked for.",
    kinds: ["pages"],
    operations: [listTasks],
  },
  {
    id: "done-is-completed",
    what: "A task that is done is read with the status completed, which is not in the enumeration.",
    kinds: ["responseSchema"],
    operations: [getTask],
  },
  {
    id: "name-not-required",
    what: "A project without its required name is accepted.",
    kinds: ["acceptedInvalid"],
    operations: [createProject],
    judgesBy: { "/components/schemas/ProjectInput/required": [] },
  },
  {
    id: "labels-not-unique",
    what: "The same label twice is accepted though labels are unique.",
    kinds: ["acceptedInvalid"],
    operations: [createTask, replaceTask],
    judgesBy: { "/components/schemas/TaskInput/properties/labels/uniqueItems": undefined },
  },
  {
    id: "read-opens-archived",
    what: "Reading an archived project takes it out of the archive.",
    kinds: ["changedByRead"],
    operations: [getProject],
  },
  {
    id: "estimate-fraction-lost",
    what: "The fraction of an estimate is lost, since it is stored as an integer.",
    kinds: ["valueLost"],
    operations: [createTask, replaceTask, getTask],
  },
];

function create(has: HasFault): Handlers {
  const now = createClock();
  const projects = new Map<number, Project>();
  const tasks = new Map<number, Task>();
  const deletedTasks = new Map<number, Task>();
  const deletedProjects = new Map<number, Project>();
  let lastProject = 0;
  let lastTask = 0;

  const toProject = (body: Values, known: Pick<Project, "id" | "createdAt">): Project => {
    if (has("name-with-emoji") && /[\u{10000}-\u{10ffff}]/u.test(String(body.name)))
      throw new Error("Incorrect string value for column 'name'");
    return { isArchived: false, name: "", ...body, ...known };
  };
  const addProject = (body: Values) => {
    const project = toProject(body, { id: lastProject + 1, createdAt: now() });
    projects.set(++lastProject, project);
    return project;
  };
  const toTask = (body: Values, known: Pick<Task, "id" | "projectId" | "createdAt">): Task => {
    if (has("empty-labels") && (body.labels as string[] | undefined)?.length === 0)
      throw new Error("syntax error at end of input: VALUES");
    const task = { status: "open", estimate: null, dueOn: null, labels: [], title: "", ...body, ...known } as Task;
    if (has("estimate-fraction-lost") && task.estimate) task.estimate = Math.trunc(task.estimate);
    return task;
  };
  const addTask = (projectId: number, body: Values) => {
    const task = toTask(body, { id: lastTask + 1, projectId, createdAt: now() });
    tasks.set(++lastTask, task);
    return task;
  };
  const first = addProject({ name: "Move house" });
  for (const title of ["Pack books", "Sell the sofa", "Paint the wall"]) addTask(first.id, { title });

  const withOne = <T>(found: T | undefined, use: (one: T) => Answer): Answer =>
    found ? use(found) : refuse(404, "There is none with this identifier.");
  const withProject = ({ path }: Call, use: (one: Project) => Answer) =>
    withOne(projects.get(path.projectId as number), use);
  const withTask = ({ path }: Call, use: (one: Task) => Answer) => withOne(tasks.get(path.taskId as number), use);

  const tagOf = (task: Task) => {
    const { id, title, estimate } = task;
    const tagged = has("tag-of-title-only") ? { id, title, estimate } : task;
    return `"${createHash("sha256").update(JSON.stringify(tagged)).digest("hex").slice(0, 16)}"`;
  };
  const names = (header: string, task: Task) =>
    header.trim() === "*" || header.split(",").some((tag) => tag.trim() === tagOf(task));
  const isStale = ({ headers }: Call, task: Task) => {
    const wanted = headers["if-match"];
    return wanted !== undefined && !names(wanted, task);
  };
  const toPage = <T>(all: T[], { query }: Call): Answer => {
    const page = query.page as number;
    const perPage = query.perPage as number;
    return { status: 200, body: { items: slice(all, (page - 1) * perPage, perPage), total: all.length, page } };
  };

  return {
    listProjects: (call) => {
      const all = [...projects.values()];
      const { page, perPage } = call.query as Record<string, number>;
      if (has("page-beyond-the-end") && page! > 1 && (page! - 1) * perPage! >= all.length)
        throw new Error("Cannot read properties of undefined");
      const isLocal = has("moment-without-zone");
      return toPage(isLocal ? all.map((one) => ({ ...one, createdAt: one.createdAt.slice(0, -1) })) : all, call);
    },
    createProject: ({ body }) => ({ status: 201, body: addProject(body) }),
    getProject: (call) =>
      withProject(call, (project) => {
        const given = { ...project };
        if (has("read-opens-archived")) project.isArchived = false;
        return { status: 200, body: given };
      }),
    replaceProject: (call) => {
      const gone = has("change-after-delete") ? deletedProjects.get(call.path.projectId as number) : undefined;
      return withOne(gone ?? projects.get(call.path.projectId as number), (project) => {
        const replaced = toProject(call.body, pickKnown(project));
        if (!gone) projects.set(project.id, replaced);
        return { status: 200, body: replaced };
      });
    },
    deleteProject: (call) =>
      withProject(call, (project) => {
        const own = [...tasks.values()].filter(({ projectId }) => projectId === project.id);
        for (const { id } of own) tasks.delete(id);
        projects.delete(project.id);
        deletedProjects.set(project.id, project);
        return { status: has("delete-later-202") && own.length > 0 ? 202 : 204 };
      }),
    listTasks: (call) =>
      withProject(call, ({ id }) => {
        const { status } = call.query;
        const known = has("deleted-in-list") ? [...tasks.values(), ...deletedTasks.values()] : [...tasks.values()];
        const includesDoing = has("open-includes-doing") && status === "open";
        const found = known
          .filter(({ projectId }) => projectId === id)
          .filter((task) => !status || task.status === status || (includesDoing && task.status === "doing"));
        const perPage = has("at-least-five") ? Math.max(5, call.query.perPage as number) : call.query.perPage;
        return toPage(found, { ...call, query: { ...call.query, perPage } });
      }),
    createTask: (call) =>
      withProject(call, ({ id }) => {
        const task = addTask(id, call.body);
        return { status: 201, body: task, headers: { ETag: tagOf(task) } };
      }),
    getTask: (call) =>
      withTask(call, (task) => {
        const held = call.headers["if-none-match"];
        const headers = { ETag: tagOf(task) };
        if (held !== undefined && names(held, task) && !has("never-304")) return { status: 304, headers };
        const isRenamed = has("done-is-completed") && task.status === "done";
        return { status: 200, body: isRenamed ? { ...task, status: "completed" } : task, headers };
      }),
    replaceTask: (call) =>
      withTask(call, (task) => {
        if (isStale(call, task) && !has("if-match-ignored")) return refuse(412, "It has changed since.");
        const { id, projectId, createdAt } = task;
        const replaced = toTask(call.body, { id, projectId, createdAt });
        if (has("put-appends-labels")) replaced.labels = [...task.labels, ...replaced.labels];
        tasks.set(id, replaced);
        return { status: 200, body: replaced, headers: { ETag: tagOf(replaced) } };
      }),
    deleteTask: (call) => {
      if (has("second-delete-500") && deletedTasks.has(call.path.taskId as number)) throw new Error("no rows affected");
      return withTask(call, (task) => {
        if (isStale(call, task)) return refuse(412, "It has changed since.");
        tasks.delete(task.id);
        deletedTasks.set(task.id, task);
        return { status: 204 };
      });
    },
  };
}

const pickKnown = ({ id, createdAt }: Project) => ({ id, createdAt });

export const taskTracker: FaultyServer = { name: "task tracker", document: tasksDocument, faults, create };
