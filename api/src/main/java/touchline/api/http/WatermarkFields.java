package touchline.api.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import touchline.api.domain.AudioMixSettings;
import touchline.api.domain.AudioMixSettings.Mode;
import touchline.api.domain.OverlaySettings;
import touchline.api.domain.WatermarkSettings;
import touchline.api.domain.WatermarkSettings.Html;
import touchline.api.domain.WatermarkSettings.Stream;
import touchline.overlay.scoreboard.ScoreboardSite;

/**
 * Reads {@code generate_watermark}. If a scoreboard exists, an absent field keeps its value. A new
 * type requires its own fields. Any thread.
 */
final class WatermarkFields {
    static final String NAME = "generate_watermark";

    private static final int MAX_URL_BYTES = 2_048;
    private static final double FULL_VOLUME = 1;

    /** The wire names of the types. */
    private enum Type {
        HTML,
        STREAM
    }

    private final UrlRules urlRules;
    private final Supplier<String> newStreamKey;

    /**
     * @param newStreamKey creates the push key of a pushed scoreboard
     */
    WatermarkFields(UrlRules urlRules, Supplier<String> newStreamKey) {
        this.urlRules = urlRules;
        this.newStreamKey = newStreamKey;
    }

    /**
     * Reports an address that this server will not load. Resolves names, so do not call it inside a
     * transaction.
     */
    void checkUrl(JsonFields fields) {
        fields.ahead()
                .url("url", MAX_URL_BYTES)
                .flatMap(this::refusal)
                .ifPresent(reason -> fields.problems().invalid(fields.pathOf("url"), reason));
    }

    private Optional<String> refusal(String text) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException _) {
            return Optional.of("malformed (expected: an http or https address)");
        }
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            return Optional.of("scheme not accepted (expected: http or https)");
        }
        if (url.getHost() == null || url.getRawUserInfo() != null) {
            return Optional.of("no plain host (expected: http or https, a host, no user name)");
        }
        if (url.getHost().equalsIgnoreCase(ScoreboardSite.HOST)) {
            // Never resolved: the page's proxy serves it, without TLS.
            return scheme.equals("http") && url.getPort() < 0
                    ? Optional.empty()
                    : Optional.of("the bundled scoreboard is at " + ScoreboardSite.URL);
        }
        return urlRules.refusal(url);
    }

    /**
     * The resulting scoreboard. {@link #checkUrl} must have checked its address.
     *
     * @return empty if a problem of {@code fields} was reported
     */
    Optional<WatermarkSettings> merged(JsonFields fields, Optional<WatermarkSettings> before) {
        Optional<Type> given =
                fields.constant("type", WatermarkFields::type, Type.values(), JsonFields::spelled);
        Optional<Type> type =
                fields.has("type")
                        ? given
                        : before.map(b -> b instanceof Html ? Type.HTML : Type.STREAM);
        if (type.isEmpty() && !fields.has("type")) {
            fields.problems().missing(fields.pathOf("type"));
        }
        Optional<OverlaySettings> placedBefore = before.flatMap(WatermarkSettings::overlay);
        Optional<OverlaySettings> placed =
                fields.merged(
                        OverlayFields.NAME,
                        placedBefore,
                        name -> overlay(fields, name, placedBefore));
        return type.flatMap(
                t ->
                        switch (t) {
                            case HTML -> html(fields, before, placed);
                            case STREAM -> stream(fields, before, placed);
                        });
    }

    private static Optional<OverlaySettings> overlay(
            JsonFields fields, String name, Optional<OverlaySettings> before) {
        return fields.object(name)
                .map(it -> OverlayFields.merged(it, before.orElse(OverlaySettings.DEFAULTS)));
    }

    private Optional<WatermarkSettings> html(
            JsonFields fields,
            Optional<WatermarkSettings> before,
            Optional<OverlaySettings> placed) {
        Optional<Html> old = before.filter(Html.class::isInstance).map(Html.class::cast);
        Optional<Integer> timeout =
                fields.orDefault(
                        "page_load_timeout",
                        Html.DEFAULT_PAGE_LOAD_TIMEOUT_SECONDS,
                        name -> timeout(fields, name));
        int timeoutBefore =
                old.map(Html::pageLoadTimeoutSeconds)
                        .orElse(Html.DEFAULT_PAGE_LOAD_TIMEOUT_SECONDS);
        if (old.isEmpty()) {
            fields.require("url");
        }
        Optional<String> url =
                fields.has("url") ? fields.url("url", MAX_URL_BYTES) : old.map(Html::url);
        return url.map(u -> new Html(u, timeout.orElse(timeoutBefore), placed));
    }

    private static Optional<Integer> timeout(JsonFields fields, String name) {
        return fields.whole(name, 1, Html.MAX_PAGE_LOAD_TIMEOUT_SECONDS);
    }

    private Optional<WatermarkSettings> stream(
            JsonFields fields,
            Optional<WatermarkSettings> before,
            Optional<OverlaySettings> placed) {
        Optional<Stream> old = before.filter(Stream.class::isInstance).map(Stream.class::cast);
        if (old.isEmpty()) {
            fields.require("audio_mix_settings");
        }
        Optional<AudioMixSettings> mixBefore = old.map(Stream::audioMix);
        Optional<AudioMixSettings> mix =
                fields.has("audio_mix_settings")
                        ? fields.object("audio_mix_settings").flatMap(m -> mix(m, mixBefore))
                        : mixBefore;
        return mix.map(
                m -> new Stream(old.map(Stream::streamKey).orElseGet(newStreamKey), m, placed));
    }

    private static Optional<AudioMixSettings> mix(
            JsonFields fields, Optional<AudioMixSettings> before) {
        if (before.isEmpty()) {
            fields.require("mode");
        }
        Optional<Mode> given = fields.constant("mode", Mode::of, Mode.values(), Mode::wireName);
        Optional<Double> main = volume(fields, "volume_main");
        Optional<Double> secondary = volume(fields, "volume_secondary");
        return given.or(() -> before.map(AudioMixSettings::mode))
                .map(
                        mode ->
                                new AudioMixSettings(
                                        mode,
                                        main.orElse(
                                                before.map(AudioMixSettings::volumeMain)
                                                        .orElse(FULL_VOLUME)),
                                        secondary.orElse(
                                                before.map(AudioMixSettings::volumeSecondary)
                                                        .orElse(FULL_VOLUME))));
    }

    private static Optional<Double> volume(JsonFields fields, String name) {
        return fields.orDefault(
                name, FULL_VOLUME, it -> fields.number(it, 0, 1).stream().boxed().findFirst());
    }

    private static Optional<Type> type(String text) {
        return switch (text) {
            case Html.TYPE -> Optional.of(Type.HTML);
            case Stream.TYPE -> Optional.of(Type.STREAM);
            default -> Optional.empty();
        };
    }
}
