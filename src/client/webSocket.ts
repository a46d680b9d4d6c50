// The library in a module and a bundle of its own: it is loaded when the first WebSocket is opened, and never where there is none.
export { WebSocket } from 'ws';
