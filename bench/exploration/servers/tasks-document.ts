import {
  failures,
  gives,
  type Parameter,
  problemSchema,
  problems,
  refer,
  type ServerDocument,
  sent,
} from "./document.ts";

const { NotFound, Invalid, NotAcceptable, PreconditionFailed, TooLarge, UnsupportedMediaType } = problems;
const largest = 9_007_199_254_740_991;
const projectId: Parameter = {
  name: "projectId",
  in: "path",
  required: true,
  schema: { type: "integer", minimum: 1, maximum: largest },
  example: 1,
};
const taskId: Parameter = { ...projectId, name: "taskId" };
const precondition = (name: string): Parameter => ({ name, in: "header", schema: { type: "string", maxLength: 200 } });
const paging: Parameter[] = [
  { name: "page", in: "query", schema: { type: "integer", minimum: 1, maximum: 1_000_000, default: 1 } },
  { name: "perPage", in: "query", schema: { type: "integer", minimum: 1, maximum: 50, default: 20 } },
];
const etag = { ETag: { type: "string", pattern: '^"[^"]+"$' } };
const moment = { type: "string", format: "date-time" };
const page = (item: string) => ({
  type: "object",
  required: ["items", "total", "page"],
  properties: {
    items: { type: "array", items: refer(item) },
    total: { type: "integer", minimum: 0 },
    page: { type: "integer", minimum: 1 },
  },
});
const projectMembers = {
  name: { type: "string", minLength: 1, maxLength: 60 },
  isArchived: { type: "boolean" },
};
const taskMembers = {
  title: { type: "string", minLength: 1, maxLength: 200 },
  status: { type: "string", enum: ["open", "doing", "done"] },
  estimate: { type: ["number", "null"], minimum: 0, maximum: 1000 },
  dueOn: { type: ["string", "null"], format: "date" },
  labels: { type: "array", items: { type: "string", minLength: 1, maxLength: 30 }, maxItems: 10, uniqueItems: true },
};
const precedent = { 412: { $ref: "#/components/responses/PreconditionFailed" } };

export const tasksDocument: ServerDocument = {
  openapi: "3.1.0",
  info: { title: "Task tracker", version: "2.3.0" },
  paths: {
    "/projects": {
      get: {
        operationId: "listProjects",
        summary: "List projects",
        parameters: paging,
        responses: { 200: gives("A page", page("Project")), ...failures() },
      },
      post: {
        operationId: "createProject",
        summary: "Start a project",
        requestBody: sent(refer("ProjectInput"), { name: "Move house" }),
        responses: { 201: gives("Started", refer("Project")), ...failures("b") },
      },
    },
    "/projects/{projectId}": {
      get: {
        operationId: "getProject",
        summary: "Read a project",
        parameters: [projectId],
        responses: { 200: gives("The project", refer("Project")), ...failures("n") },
      },
      put: {
        operationId: "replaceProject",
        summary: "Replace a project",
        parameters: [projectId],
        requestBody: sent(refer("ProjectInput"), { name: "Move house", isArchived: true }),
        responses: { 200: gives("Replaced", refer("Project")), ...failures("nb") },
      },
      delete: {
        operationId: "deleteProject",
        summary: "Delete a project with its tasks",
        parameters: [projectId],
        responses: { 204: { description: "Deleted" }, ...failures("n") },
      },
    },
    "/projects/{projectId}/tasks": {
      get: {
        operationId: "listTasks",
        summary: "List tasks of a project",
        parameters: [projectId, { name: "status", in: "query", schema: taskMembers.status }, ...paging],
        responses: { 200: gives("A page", page("Task")), ...failures("n") },
      },
      post: {
        operationId: "createTask",
        summary: "Add a task to a project",
        parameters: [projectId],
        requestBody: sent(refer("TaskInput"), { title: "Pack books", labels: ["heavy"] }),
        responses: { 201: gives("Added", refer("Task"), etag), ...failures("nb") },
      },
    },
    "/tasks/{taskId}": {
      get: {
        operationId: "getTask",
        summary: "Read a task",
        parameters: [taskId, precondition("If-None-Match")],
        responses: {
          200: gives("The task", refer("Task"), etag),
          304: { description: "Not modified" },
          ...failures("n"),
        },
      },
      put: {
        operationId: "replaceTask",
        summary: "Replace a task",
        parameters: [taskId, precondition("If-Match")],
        requestBody: sent(refer("TaskInput"), { title: "Pack books", status: "done" }),
        responses: { 200: gives("Replaced", refer("Task"), etag), ...precedent, ...failures("nb") },
      },
      delete: {
        operationId: "deleteTask",
        summary: "Delete a task",
        parameters: [taskId, precondition("If-Match")],
        responses: { 204: { description: "Deleted" }, ...precedent, ...failures("n") },
      },
    },
  },
  components: {
    schemas: {
      Problem: problemSchema,
      ProjectInput: { type: "object", required: ["name"], properties: projectMembers, additionalProperties: false },
      Project: {
        type: "object",
        required: ["id", "name", "isArchived", "createdAt"],
        properties: { id: projectId.schema, ...projectMembers, createdAt: moment },
        additionalProperties: false,
      },
      TaskInput: { type: "object", required: ["title"], properties: taskMembers, additionalProperties: false },
      Task: {
        type: "object",
        required: ["id", "projectId", "title", "status", "estimate", "dueOn", "labels", "createdAt"],
        properties: { id: projectId.schema, projectId: projectId.schema, ...taskMembers, createdAt: moment },
        additionalProperties: false,
      },
    },
    responses: { NotFound, Invalid, NotAcceptable, PreconditionFailed, TooLarge, UnsupportedMediaType },
  },
};
