// The library in a module and a bundle of its own: it is loaded when an agent that takes WebSockets starts, and never for any other.
export { WebSocketServer } from 'ws';
