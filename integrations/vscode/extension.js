// Starts 'clew lsp' for C files: what output folders in the workspace tell is shown as diagnostics and lenses.
"use strict";

const fs = require("fs");
const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

// The file to run: a path as it is; a name as it is found on the PATH, or else in a virtual environment of the workspace.
function find(command) {
  if (command !== path.basename(command)) return command;
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    folders.push(path.join(uri.fsPath, ".venv", "bin"), path.join(uri.fsPath, "venv", "bin"));
  }
  return folders.map((folder) => path.join(folder, command)).find((file) => fs.existsSync(file));
}

async function start() {
  const named = vscode.workspace.getConfiguration("clew").get("path", "clew");
  const command = find(named);
  if (command === undefined) {
    const message = `'${named}' is neither on the PATH nor in .venv or venv of the workspace: set clew.path`;
    const chosen = await vscode.window.showErrorMessage(message, "Open Settings");
    if (chosen) await vscode.commands.executeCommand("workbench.action.openSettings", "clew.path");
    return;
  }
  client = new LanguageClient(
    "clew",
    "Clew",
    { command, args: ["lsp"] },
    { documentSelector: [{ scheme: "file", language: "c" }] },
  );
  await client.start().catch(() => { client = undefined; }); // the client itself says why
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (!change.affectsConfiguration("clew.path")) return;
      await stop();
      await start();
    }),
  );
  start();
}

module.exports = { activate, deactivate: stop };
