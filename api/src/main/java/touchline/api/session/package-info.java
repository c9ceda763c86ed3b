/** Live sessions joined to the persisted world. */
@NullMarked
package touchline.api.session;

import org.jspecify.annotations.NullMarked;
