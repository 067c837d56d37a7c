// The imports of routes/mcp.ts in a module of their own, so that the bundle has no more of the package.
export { createMcpHandler } from '@modelcontextprotocol/server';
export { undertoneServer } from '../../mcp/server.ts';
