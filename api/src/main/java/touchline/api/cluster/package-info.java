/**
 * Several servers, the nodes, on one database: which of them are alive, and which works with which
 * stream.
 */
@NullMarked
package touchline.api.cluster;

import org.jspecify.annotations.NullMarked;
