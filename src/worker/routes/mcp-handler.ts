// A separate module for the imports of routes/mcp.ts, so that the bundle contains only the parts of the package that
// are used.
export { createMcpHandler } from '@modelcontextprotocol/server';
export { undertoneServer } from '../../mcp/server.ts';
