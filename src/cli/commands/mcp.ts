import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Command } from 'commander';
import { undertoneServer } from '../../mcp/server.ts';
import { mediaOf } from '../recording.ts';
import type { CommandRun } from '../run.ts';
import { clientOf, type ServiceOptions, serviceOf } from '../settings.ts';
import { VERSION } from '../version.ts';

export function addMcp(program: Command, run: CommandRun): void {
  program
    .command('mcp')
    .description('Serve tools for language models over standard input and output (Model Context Protocol)')
    .addHelpText(
      'after',
      `
In the settings of an MCP client:
  {"mcpServers": {"undertone": {"command": "undertone", "args": ["mcp"]}}}`,
    )
    .action(async (_, self: Command) => {
      const options = self.optsWithGlobals<ServiceOptions>();
      // Created before serving, so that a missing key is reported in the terminal.
      const client = clientOf(options);
      const { url } = serviceOf(options);
      const server = () => undertoneServer({ client, url: url.value, version: VERSION, openFile: mediaOf });
      const serving = serveStdio(server, { maxSubscriptions: 0 });
      await new Promise<void>((resolve) => {
        process.stdin.once('end', resolve);
        run.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await serving.close();
    });
}
