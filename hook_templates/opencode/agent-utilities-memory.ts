// agent-utilities-memory: plugin 1. Written by `agent-utilities-memory install`, removed by `uninstall`.
// OpenCode has no hook file. This plugin calls the same command that other agents call as a hook; it never keeps the
// agent waiting for longer than the limits below and never throws.
import { spawn } from "node:child_process"

const START: string[] = {{argv session-start}}
const CHECKPOINT: string[] = {{argv checkpoint}}
const END: string[] = {{argv session-end}}

function call(argv: string[], payload: Record<string, string>, milliseconds: number): Promise<string> {
  return new Promise((resolve) => {
    try {
      const child = spawn(argv[0], argv.slice(1), { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
      const parts: Buffer[] = []
      const timer = setTimeout(() => { child.kill(); resolve("") }, milliseconds)
      child.on("error", () => { clearTimeout(timer); resolve("") })
      child.stdin.on("error", () => {})
      child.stdout.on("data", (part) => parts.push(part))
      child.on("close", (code) => {
        clearTimeout(timer)
        resolve(code === 0 ? Buffer.concat(parts).toString("utf8").trim() : "")
      })
      child.stdin.end(JSON.stringify(payload))
    } catch {
      resolve("")
    }
  })
}

export const AgentUtilitiesMemory = async ({ directory }: { directory: string }) => {
  const contexts = new Map<string, Promise<string>>()
  const sessions = new Set<string>()
  const payload = (event: string, session: string) => ({ hook_event_name: event, session_id: session, cwd: directory })
  return {
    // Runs before every request, titles included: the context is asked for once per session.
    "experimental.chat.system.transform": async (input: { sessionID?: string }, output: { system: string[] }) => {
      const session = input?.sessionID ?? ""
      if (!contexts.has(session)) contexts.set(session, call(START, payload("session-start", session), 10_000))
      const context = await contexts.get(session)
      if (context) output.system.push(context)
    },
    event: async ({ event }: { event: { type: string; properties?: any } }) => {
      const session: string = event.properties?.sessionID ?? event.properties?.info?.id ?? ""
      if (event.type === "session.idle" || event.type === "session.compacted") {
        if (session) sessions.add(session)
        await call(CHECKPOINT, payload("checkpoint", session), 5_000)
      }
    },
    dispose: async () => {
      await Promise.all([...sessions].map((session) => call(END, payload("session-end", session), 3_000)))
    },
  }
}
