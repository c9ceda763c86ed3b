package touchline.api.http;

import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.StorageKeys;
import touchline.api.domain.StorageType;
import touchline.api.vod.NoticeSignature;

/** Reads an output storage from a request. Any thread. */
final class StorageFields {
    private static final int MAX_URL_BYTES = 2_048;
    private static final int MAX_PREFIX_BYTES = 512;
    private static final int MAX_KEY_BYTES = 256;
    private static final Pattern REGION = Pattern.compile("[A-Za-z0-9-]{1,64}");
    private static final Pattern S3_BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern FOLDER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,62}");
    private static final Pattern PREFIX_PART = Pattern.compile("[A-Za-z0-9!_.*'()=-]{1,128}");
    private static final Pattern VISIBLE = Pattern.compile("[\\x21-\\x7e]+");

    private final EncodingDependencies.ReceiverRules receivers;

    StorageFields(EncodingDependencies.ReceiverRules receivers) {
        this.receivers = receivers;
    }

    /**
     * @throws ApiException 40002 or 40003, naming every bad field
     */
    OutputStorage read(JsonFields body, Instant now) {
        Problems problems = body.problems();
        body.require("type");
        body.require("bucket");
        body.require("notify");
        Optional<StorageType> type =
                body.constant("type", StorageType::of, StorageType.values(), StorageType::wireName);
        String bucket = bucket(body, type.orElse(StorageType.S3));
        String prefix = prefix(body);
        Optional<URI> endpoint = url(body, "endpoint").map(URI::create);
        endpoint.filter(url -> !bare(url))
                .ifPresent(_ -> problems.invalid("endpoint", "has a path (expected: only a host)"));
        String region = text(body, "region", MAX_KEY_BYTES, REGION).orElse("");
        boolean needsRegion =
                type.isPresent() && type.get() != StorageType.FILE && endpoint.isEmpty();
        if (needsRegion && !body.has("endpoint")) {
            body.require("region");
        }
        Optional<StorageKeys> keys = keys(body, type);
        Optional<String> notify = url(body, "notify");
        Optional<String> secret = body.text("notify_secret", MAX_KEY_BYTES);
        secret.filter(text -> !isSecret(text))
                .ifPresent(
                        _ ->
                                problems.invalid(
                                        "notify_secret",
                                        "malformed (expected: whsec_ and base64 of 24 to 64"
                                                + " bytes)"));
        Optional<Boolean> pathStyle = body.flag("path_style");
        problems.throwIfAny();
        return new OutputStorage(
                OutputStorage.newId(),
                type.orElseThrow(),
                region,
                bucket,
                prefix,
                endpoint,
                pathStyle,
                keys,
                URI.create(notify.orElseThrow()),
                secret,
                now);
    }

    private static String bucket(JsonFields body, StorageType type) {
        return text(body, "bucket", MAX_KEY_BYTES, type == StorageType.FILE ? FOLDER : S3_BUCKET)
                .filter(
                        name -> {
                            boolean dots = name.contains("..");
                            if (dots) {
                                body.problems().invalid("bucket", "holds two dots in a row");
                            }
                            return !dots;
                        })
                .orElse("");
    }

    /** Removes slashes at both ends. */
    private static String prefix(JsonFields body) {
        String given = body.text("prefix", MAX_PREFIX_BYTES).orElse("");
        String bare = given.replaceAll("^/+|/+$", "");
        if (bare.isEmpty()) {
            return "";
        }
        for (String part : bare.split("/", -1)) {
            if (!PREFIX_PART.matcher(part).matches() || part.matches("\\.+")) {
                body.problems()
                        .invalid(
                                "prefix",
                                "malformed (expected: parts of letters, digits and !_.*'()=-"
                                        + " between single slashes)");
                return "";
            }
        }
        return bare;
    }

    /** Folders need none. If one key is given, both are required. */
    private static Optional<StorageKeys> keys(JsonFields body, Optional<StorageType> type) {
        boolean needed = type.isPresent() && type.get() != StorageType.FILE;
        if (needed || body.has("storage_ak") || body.has("storage_sk")) {
            body.require("storage_ak");
            body.require("storage_sk");
        }
        Optional<String> accessKey = text(body, "storage_ak", MAX_KEY_BYTES, VISIBLE);
        Optional<String> secretKey = text(body, "storage_sk", MAX_KEY_BYTES, VISIBLE);
        return accessKey.isPresent() && secretKey.isPresent()
                ? Optional.of(new StorageKeys(accessKey.get(), secretKey.get()))
                : Optional.empty();
    }

    private static Optional<String> text(
            JsonFields body, String name, int maxBytes, Pattern pattern) {
        Optional<String> text = body.text(name, maxBytes);
        if (text.isPresent() && !pattern.matcher(text.get()).matches()) {
            // The message never contains the text: it may be a secret.
            body.problems().invalid(name, "malformed (expected: " + pattern.pattern() + ")");
            return Optional.empty();
        }
        return text;
    }

    private Optional<String> url(JsonFields body, String name) {
        return body.url(name, MAX_URL_BYTES).filter(text -> permitted(body, name, text));
    }

    private boolean permitted(JsonFields body, String name, String text) {
        Optional<String> refusal = receivers.refusal(text);
        refusal.ifPresent(reason -> body.problems().invalid(body.pathOf(name), reason));
        return refusal.isEmpty();
    }

    private static boolean bare(URI url) {
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        return (path.isEmpty() || path.equals("/")) && url.getRawQuery() == null;
    }

    private static boolean isSecret(String text) {
        return NoticeSignature.isSecret(text);
    }
}
