// Loaded before the observatory: its requests to SHOP_HOST go to the ports of our own proxy on this machine. Its
// requests and its rating stay unchanged.
import net from 'node:net'

const { SHOP_HOST, HTTP_PORT, HTTPS_PORT } = process.env
const ports = { 80: HTTP_PORT, 443: HTTPS_PORT }
const { connect } = net.Socket.prototype

net.Socket.prototype.connect = function (...given) {
  // Node passes the normalised options as the first entry of an array.
  const options = Array.isArray(given[0]) ? given[0][0] : given[0]
  if (options.host !== SHOP_HOST)
    throw new Error(`the observatory wants ${options.host}, which is not the shop`)
  options.host = '127.0.0.1'
  options.port = ports[options.port]
  return connect.apply(this, given)
}
