// The library in a module and a bundle of its own: it is loaded when the first WebSocket is opened, and never where there is none.
// Its server is here for the bundle of `mock/webSocketServer.ts`.
export { WebSocket, WebSocketServer } from 'ws';
