// Starts 'clew lsp' for C files: what output folders in the workspace tell is shown as diagnostics and lenses.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function activate() {
  const command = vscode.workspace.getConfiguration("clew").get("path", "clew");
  client = new LanguageClient(
    "clew",
    "Clew",
    { command, args: ["lsp"] },
    { documentSelector: [{ scheme: "file", language: "c" }] },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(`'${command} lsp' cannot be started (pip install 'clew[lsp]'): ${error.message}`);
  }
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
