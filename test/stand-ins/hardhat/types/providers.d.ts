export interface RequestArguments {
  readonly method: string
  readonly params?: readonly unknown[] | object
}

export interface JsonRpcRequest {
  jsonrpc: '2.0'
  id: number | string
  method: string
  params?: unknown[]
}

export interface SuccessfulJsonRpcResponse {
  jsonrpc: '2.0'
  id: number | string
  result: unknown
}

export interface FailedJsonRpcResponse {
  jsonrpc: '2.0'
  id: number | string | null
  error: { code: number; message: string; data?: unknown }
}

export type JsonRpcResponse = SuccessfulJsonRpcResponse | FailedJsonRpcResponse

export interface EthereumProvider {
  request(args: RequestArguments): Promise<unknown>
  send(method: string, params?: unknown[]): Promise<unknown>
  sendAsync(
    jsonRpcRequest: JsonRpcRequest,
    callback: (error: unknown, jsonRpcResponse: JsonRpcResponse) => void,
  ): void
  emit(event: string, ...args: unknown[]): boolean
  close(): Promise<void>
}
