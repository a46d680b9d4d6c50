// In a module and bundle of its own: the library is loaded only when an agent that accepts WebSockets starts.
export { WebSocketServer } from 'ws';
