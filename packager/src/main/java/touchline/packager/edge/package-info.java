/** Media that runs on, or lies at, another node of a cluster: fetched once, served to many. */
@NullMarked
package touchline.packager.edge;

import org.jspecify.annotations.NullMarked;
