/** Single frames out of packaged media, as JPEG files. */
@NullMarked
package touchline.packager.thumbnail;

import org.jspecify.annotations.NullMarked;
