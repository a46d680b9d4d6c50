// A bundle of its own, loaded when the first WebSocket is opened. The server is exported for the bundle of `mock/webSocketServer.ts`.
export { WebSocket, WebSocketServer } from 'ws';
