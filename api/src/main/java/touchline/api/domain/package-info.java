/** Stored values, as plain records. */
@NullMarked
package touchline.api.domain;

import org.jspecify.annotations.NullMarked;
