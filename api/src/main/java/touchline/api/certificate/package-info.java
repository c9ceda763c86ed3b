/**
 * The server's certificate while it runs: read again when its files change, or got and renewed by
 * ACME (RFC 8555), with its state for the API, metrics and events.
 */
@NullMarked
package touchline.api.certificate;

import org.jspecify.annotations.NullMarked;
