/** Clients that generators make from the OpenAPI document, run against a server. */
@NullMarked
package touchline.benchmarks.clients;

import org.jspecify.annotations.NullMarked;
