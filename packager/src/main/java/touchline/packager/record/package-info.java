/** Finished parts on disk: recordings and their index. */
@NullMarked
package touchline.packager.record;

import org.jspecify.annotations.NullMarked;
