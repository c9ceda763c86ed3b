package touchline.api.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import touchline.api.access.Digests;
import touchline.config.PageConfig;
import touchline.packager.delivery.PageFile;

/**
 * Scripts, styles and images of the watch pages, in memory. Their paths begin with a version made
 * from all of them, so caches may keep them for good. Immutable, any thread.
 */
final class WatchFiles {
    private static final List<String> NAMES =
            List.of(
                    "early.js",
                    "watch.js",
                    "screen.js",
                    "captions.js",
                    "controls.js",
                    "seek-bar.js",
                    "watch.css");

    /** The console has the same player. */
    private static final List<String> SHARED =
            List.of(
                    "/console/vendor/hls.min.mjs",
                    "/console/js/one-clock.js",
                    "/console/js/playback.js",
                    "/console/js/slow-part.js");

    private static final Map<String, String> TYPES =
            Map.of(
                    "js", "text/javascript; charset=utf-8",
                    "mjs", "text/javascript; charset=utf-8",
                    "css", "text/css; charset=utf-8",
                    "svg", "image/svg+xml",
                    "png", "image/png",
                    "jpg", "image/jpeg",
                    "jpeg", "image/jpeg",
                    "webp", "image/webp");

    private static final long MAX_LOGO_BYTES = 256 << 10;
    private static final int VERSION_CHARACTERS = 16;

    private final String version;
    private final Map<String, PageFile> files;
    private final Optional<String> logo;

    private WatchFiles(String version, Map<String, PageFile> files, Optional<String> logo) {
        this.version = version;
        this.files = Map.copyOf(files);
        this.logo = logo;
    }

    /**
     * @throws IllegalArgumentException if the logo is too large or no image
     * @throws UncheckedIOException if it cannot be read
     */
    static WatchFiles load(PageConfig config) {
        Map<String, byte[]> bytes = new TreeMap<>();
        for (String name : NAMES) {
            bytes.put(name, resource(name));
        }
        for (String path : SHARED) {
            bytes.put(path.substring(path.lastIndexOf('/') + 1), read(path));
        }
        bytes.put("theme.css", theme(config).getBytes(UTF_8));
        Optional<String> logo = config.logo().map(file -> "logo." + extension(file.toString()));
        logo.ifPresent(name -> bytes.put(name, logo(config.logo().orElseThrow())));
        MessageDigest all = Digests.start();
        bytes.values().forEach(all::update);
        String version = HexFormat.of().formatHex(all.digest()).substring(0, VERSION_CHARACTERS);
        Map<String, PageFile> files = new TreeMap<>();
        bytes.forEach((name, content) -> files.put(version + "/" + name, file(name, content)));
        return new WatchFiles(version, files, logo);
    }

    /**
     * Whether the logo can be loaded.
     *
     * @throws IllegalArgumentException as {@link #load}
     * @throws UncheckedIOException as {@link #load}
     */
    static void check(PageConfig config) {
        config.logo().ifPresent(file -> logo(file));
    }

    /** The file behind the prefix of all files. */
    Optional<PageFile> find(String path) {
        return Optional.ofNullable(files.get(path));
    }

    /** First element of every path. */
    String version() {
        return version;
    }

    /** Name of the logo behind the version; empty without one. */
    Optional<String> logo() {
        return logo;
    }

    /** A file of this class path folder. */
    static byte[] resource(String name) {
        return read("/watch/" + name);
    }

    private static byte[] read(String path) {
        try (InputStream in = WatchFiles.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(path + " is not on the class path");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }

    /** The values match {@code #rrggbb}. */
    private static String theme(PageConfig config) {
        return ":root{--accent:%s;--background:%s;--text:%s}"
                .formatted(config.accent(), config.background(), config.text());
    }

    private static byte[] logo(Path file) {
        try {
            if (Files.size(file) > MAX_LOGO_BYTES) {
                throw new IllegalArgumentException(
                        "playback.theme.logo: %s has more than 256 KiB".formatted(file));
            }
            if (!TYPES.getOrDefault(extension(file.toString()), "").startsWith("image/")) {
                throw new IllegalArgumentException(
                        "playback.theme.logo: %s (expected: a PNG, JPEG, WebP or SVG file)"
                                .formatted(file));
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException("playback.theme.logo: " + file, e);
        }
    }

    private static PageFile file(String name, byte[] content) {
        byte[] gzip = gzip(content);
        return new PageFile(
                TYPES.getOrDefault(extension(name), "application/octet-stream"),
                ByteBuffer.wrap(content),
                gzip.length < content.length
                        ? Optional.of(ByteBuffer.wrap(gzip))
                        : Optional.empty(),
                Digests.sha256(content).substring(0, 32));
    }

    private static String extension(String name) {
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    private static byte[] gzip(byte[] content) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream(content.length / 2 + 64);
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException("gzip into memory", e);
        }
        return packed.toByteArray();
    }
}
