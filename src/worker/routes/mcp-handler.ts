// A separate module for the imports of routes/mcp.ts, so that the bundle contains only these parts of the package.
export { createMcpHandler } from '@modelcontextprotocol/server';
export { undertoneServer } from '../../mcp/server.ts';
