/** Tests of moderation, with fake models and generated streams. */
@NullMarked
package touchline.moderation;

import org.jspecify.annotations.NullMarked;
