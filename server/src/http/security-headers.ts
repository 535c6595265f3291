import type { RequestHandler, Response } from 'express'
import helmet from 'helmet'

/** Only what Goldseam itself serves may run or be loaded; nothing inline runs. */
export function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // Charts place things with style attributes; these cannot load or run anything.
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        workerSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // It would break plain http, which is how a local Goldseam is served.
        upgradeInsecureRequests: null,
      },
    },
    // Whether the name is to be reached by https only is for the proxy that has the certificate to say.
    strictTransportSecurity: false,
    originAgentCluster: false,
    crossOriginOpenerPolicy: false,
  })
}

/** For the one page that a page of ours frames; it is given its data and asks for nothing itself. */
export function allowFraming(response: Response): void {
  const policy = String(response.getHeader('content-security-policy'))
  response.set(
    'content-security-policy',
    policy
      .replace("frame-ancestors 'none'", "frame-ancestors 'self'")
      .replace("connect-src 'self'", "connect-src 'none'"),
  )
}
