// What `import()` of routes/mcp takes: named here, so that the bundle holds no more of the package.
export { createMcpHandler } from '@modelcontextprotocol/server';
export { undertoneServer } from '../../mcp/server.ts';
