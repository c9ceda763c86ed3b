/** What the host of a server has, and how it is used: measured in the background. */
@NullMarked
package touchline.api.host;

import org.jspecify.annotations.NullMarked;
