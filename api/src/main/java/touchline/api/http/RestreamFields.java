package touchline.api.http;

import java.net.URI;
import java.util.Optional;
import touchline.ingest.rtmp.RtmpTarget;

/** The fields of a restream, as clients send them. Any thread; may resolve names. */
final class RestreamFields {
    static final String NAME = "name";
    static final String URL = "url";
    static final String STREAM_KEY = "stream_key";
    static final String ENABLED = "enabled";

    private static final int MAX_NAME_BYTES = 256;
    private static final int MAX_URL_BYTES = 2_048;
    private static final int MAX_KEY_BYTES = 2_048;

    private final UrlRules rules;

    RestreamFields(UrlRules rules) {
        this.rules = rules;
    }

    static Optional<String> name(JsonFields body) {
        return body.text(NAME, MAX_NAME_BYTES);
    }

    /** The address; its name and its current IP addresses are checked. */
    Optional<String> url(JsonFields body) {
        Optional<String> url = body.url(URL, MAX_URL_BYTES);
        Optional<String> refusal =
                url.flatMap(
                        text -> RtmpTarget.refusal(text).or(() -> rules.refusal(URI.create(text))));
        refusal.ifPresent(reason -> body.problems().invalid(body.pathOf(URL), reason));
        return url.filter(_ -> refusal.isEmpty());
    }

    /** The key is in no message. */
    static Optional<String> streamKey(JsonFields body) {
        Optional<String> key = body.text(STREAM_KEY, MAX_KEY_BYTES);
        boolean bad = key.filter(text -> text.isBlank() || hasControls(text)).isPresent();
        if (bad) {
            body.problems()
                    .invalid(
                            body.pathOf(STREAM_KEY),
                            "empty, or holds control characters (expected: the target's key)");
        }
        return key.filter(_ -> !bad);
    }

    private static boolean hasControls(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    static Optional<Boolean> enabled(JsonFields body) {
        return body.flag(ENABLED);
    }
}
