package touchline.config;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Reads {@code storage.s3} and what belongs to it. One thread, used once. */
final class HomeSection {
    private static final String ENDPOINT = "storage.s3.endpoint";
    private static final String BUCKET = "storage.s3.bucket";
    private static final String REGION = "storage.s3.region";
    private static final String ACCESS_KEY = "storage.s3.access-key";
    private static final String SECRET_KEY = "storage.s3.secret-key";
    private static final Duration CENTURY = Duration.ofDays(36_500);

    private final Settings settings;

    HomeSection(Settings settings) {
        this.settings = settings;
    }

    HomeConfig read() {
        return new HomeConfig(
                s3(),
                settings.sizeBytes("storage.cache-bytes", 0, 1L << 60),
                settings.duration("storage.delete-after", Duration.ofMinutes(10), CENTURY));
    }

    private Optional<HomeConfig.S3> s3() {
        Optional<URI> endpoint =
                settings.optional(
                        ENDPOINT, "an http or https address without a path", HomeSection::address);
        Optional<String> bucket =
                settings.optionalText(
                        BUCKET,
                        "[A-Za-z0-9][A-Za-z0-9._-]{1,254}",
                        "2 to 255 letters, digits, dots, dashes and underscores");
        Optional<String> prefix =
                settings.optionalText(
                        "storage.s3.prefix",
                        "[A-Za-z0-9._=-]+(/[A-Za-z0-9._=-]+){0,31}",
                        "names with slashes between, such as live/archive");
        Optional<String> region =
                settings.optionalText(REGION, "[A-Za-z0-9-]{1,64}", "such as eu-central-1");
        Optional<String> access =
                settings.optionalText(ACCESS_KEY, "[\\x21-\\x7e]{1,256}", "an access key");
        Optional<String> secret =
                settings.optionalText(SECRET_KEY, "[\\x21-\\x7e]{1,256}", "a secret key");
        String style =
                settings.text("storage.s3.path-style", "auto|true|false", "auto, true or false");
        int parallel = settings.integer("storage.s3.parallel", 1, 256);
        String tail = settings.text("storage.s3.tail", "segment|off", "segment or off");
        Duration finishAfter =
                settings.duration(
                        "storage.s3.finish-after", Duration.ofSeconds(10), Duration.ofDays(7));
        Duration continueWithin =
                settings.duration(
                        "storage.s3.continue-within", Duration.ofSeconds(1), Duration.ofMinutes(2));
        if (endpoint.isEmpty()
                && bucket.isEmpty()
                && prefix.isEmpty()
                && region.isEmpty()
                && access.isEmpty()
                && secret.isEmpty()) {
            return Optional.empty();
        }
        require(BUCKET, bucket.isPresent());
        require(ACCESS_KEY, access.isPresent());
        require(SECRET_KEY, secret.isPresent());
        if (endpoint.isEmpty() && region.isEmpty()) {
            settings.fault(
                    REGION, "not set (expected: it or " + ENDPOINT + ", as storage.s3 is used)");
        }
        return Optional.of(
                new HomeConfig.S3(
                        endpoint,
                        bucket.orElse(""),
                        prefix.orElse(""),
                        region.orElse(""),
                        access.orElse(""),
                        secret.orElse(""),
                        style.equals("auto") ? Optional.empty() : Optional.of(style.equals("true")),
                        parallel,
                        tail.equals("segment"),
                        finishAfter,
                        continueWithin));
    }

    private void require(String key, boolean isSet) {
        if (!isSet) {
            settings.fault(key, "not set (expected: a value, as storage.s3 is used)");
        }
    }

    private static URI address(String text) {
        URI address = URI.create(text);
        boolean plain =
                address.getHost() != null
                        && address.getRawUserInfo() == null
                        && address.getRawQuery() == null
                        && address.getRawFragment() == null
                        && (address.getPath().isEmpty() || address.getPath().equals("/"));
        if (!plain || !text.matches("https?://.*")) {
            throw new IllegalArgumentException("address");
        }
        return address;
    }
}
