// In a module of its own: the library is loaded only when an agent that accepts WebSockets starts.
export { WebSocketServer } from 'ws';
