package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Addresses that mean to get past the check of a signed id, byte for byte as written here, and
 * honest ones beside them. {@code {P}} is the public id, {@code {S}} the signed one, {@code {O}}
 * the other signed one of the same stream; {@code {G}} and {@code {T}} are S's grant and token,
 * {@code {OG}} and {@code {OT}} O's.
 */
class PathTricksIT {
    private static final List<String> PREFIXES =
            List.of(
                    "/{S}",
                    // walking from the public id to the signed one
                    "/{P}/../{S}",
                    "/{P}/..%2f{S}",
                    "/{P}/%2e%2e/{S}",
                    "/{P}/.%2E/{S}",
                    "/{P}%2f..%2f{S}",
                    "/{P}/..%252f{S}",
                    "/{P}/%c0%ae%c0%ae/{S}",
                    "/{P}\\..\\{S}",
                    "/{P}/..;/{S}",
                    "/{P};/../{S}",
                    "/{P}/~x/../../{S}",
                    "/{P}/~{G}/../../{S}",
                    "/{P}%00/../{S}",
                    "/{P}//../{S}",
                    "/{P}/{S}",
                    // one place under several names
                    "//{S}",
                    "/./{S}",
                    "/{S}/.",
                    "/{S}/",
                    "/{S}/~x/..",
                    "/{S}//~{G}",
                    "http://t/{S}",
                    "http://{P}@t/{S}",
                    "http://t/{P}/../{S}",
                    "/{s}",
                    "/{s}/~{G}",
                    "/{S}%20",
                    // grants that are none, or another's
                    "/{S}/~",
                    "/{S}/~~{G}",
                    "/{S}/%7E",
                    "/{S}/~{G}%00",
                    "/{S}/~{G}%2f",
                    "/{S}/~{G}.",
                    "/{S}/~{G}=",
                    "/{S}/~{G}%20",
                    "/{S}/~{g}",
                    "/{S}/~{half}",
                    "/{S}/%7E{half}",
                    "/{S}/~{altered}",
                    "/{S}/~{G}{G}",
                    "/{S}/~{G}/~{G}",
                    "/{S}/~{G}/.",
                    "/{S}/~{G}/..",
                    "/{S}/{G}",
                    "/{S}/~{OG}",
                    "/{O}/~{G}",
                    "/{O}/~{G}/~{OG}",
                    "/{S}/~{T}",
                    "/{S}/~eyJhbGciOiJub25lIn0");

    private static final List<String> WHOLE =
            List.of(
                    "/{S}/{ses}/media.m3u8",
                    "/{S}/{ses}/media.m3u8?_HLS_msn=0",
                    "/{S}/{ses}/init0.mp4",
                    "/{S}/{ses}/{part}",
                    "/{S}%2f{ses}%2f{seg}",
                    "/{S}/{ses}%2f{seg}",
                    "/{S}/~{G}/{SES}/{seg}",
                    "/{S}/{ses}/{seg}%00",
                    // tokens that are not where they belong
                    "/{S}/{ses}/{seg}?token=",
                    "/{S}/{ses}/{seg}?token",
                    "/{S}/{ses}/{seg}?Token={T}",
                    "/{S}/{ses}/{seg}?token%00={T}",
                    "/{S}/{ses}/{seg};token={T}",
                    "/{S}/{ses}/{seg}?token=x&token={T}",
                    "/{S}/{ses}/{seg}?token[]={T}",
                    "/{S}/{ses}/{seg}?a;token={T}",
                    "/{S}/{ses}/{seg}?grant={G}",
                    "/{S}/{ses}/{seg}#?token={T}",
                    "/{S}/{ses}/{seg}?token={G}",
                    // another id's token or grant
                    "/{S}/{ses}/{seg}?token={OT}",
                    "/{O}/{ses}/{seg}?token={T}",
                    "/{S}/~x/{ses}/{seg}?token={T}",
                    "/{S}/~{OG}/{ses}/{seg}?token={T}",
                    "/{s}/{ses}/{seg}?token={T}",
                    "/{S}.m3u8?token={OT}",
                    "/{O}.m3u8?token={T}",
                    // the multivariant playlist
                    "/{S}.m3u8",
                    "/{s}.m3u8?token={T}",
                    "/{S}.M3U8?token={T}",
                    "/{S}.m3u8%20?token={T}",
                    "/{S}.m3u8/?token={T}",
                    "/{S}.m3u8%00?token={T}",
                    "/{S}..m3u8?token={T}",
                    "/{P}.m3u8/../{S}.m3u8",
                    "/{P}%2f..%2f{S}.m3u8",
                    "/~{G}/{S}.m3u8",
                    "/{S}/~{G}.m3u8",
                    "/{S}/~{G}/{S}.m3u8",
                    "/{S}.m3u8?token={T}%00",
                    "/{S}.m3u8?token={T}.",
                    "/{S}.m3u8?token={T}%20",
                    "/{S}.m3u8?token=%20{T}",
                    "/{S}.m3u8?token={T}%26",
                    "/{S}.m3u8?token=Bearer+{T}",
                    // what a live id does not have
                    "/{S}/capped-1080p.mp4",
                    "/{S}/thumbnail.jpg",
                    "/{S}/capped-1080p.mp4?token={OT}",
                    "/{S}/capped-1080p.mp4?token={T}",
                    "/{S}/thumbnail.jpg?token={OT}");

    private static final List<String> HONEST =
            List.of(
                    "/{S}.m3u8?token={T}",
                    "/{S}.m3u8?token={T}&token=x",
                    "/{S}.m3u8?x=1&token={T}",
                    "/{S}.m3u8?dvr=1&token={T}",
                    "/{S}/thumbnail.jpg?token={T}",
                    "/{S}/~{G}/thumbnail.jpg",
                    "/{S}/~{G}/{ses}/{seg}",
                    "/{S}/%7E{G}/{ses}/{seg}",
                    "http://t/{S}/~{G}/{ses}/{seg}",
                    "/{S}/~{G}/{ses}/{seg}?token=x",
                    "/{S}/{ses}/{seg}?token={T}",
                    "/{S}/~{G}/{ses}/media.m3u8",
                    "/{S}/~{G}/{ses}/init0.mp4",
                    "/{S}/~{G}/{ses}/{part}",
                    "/{O}.m3u8?token={OT}",
                    "/{O}/~{OG}/{ses}/{seg}",
                    // a public id ignores what it does not need
                    "/{P}.m3u8",
                    "/{P}.m3u8?token={OT}",
                    "/{P}.m3u8?token=x",
                    "/{P}/{ses}/{seg}",
                    "/{P}/~{G}/{ses}/{seg}",
                    "/{P}/~x/{ses}/{seg}?token=x");

    @TempDir private static Path folder;

    private static SignedStream live;
    private static Map<String, String> names;

    @BeforeAll
    static void start() throws Exception {
        live = SignedStream.start(folder);
        String token = live.token(live.signed);
        String otherToken = live.token(live.otherSigned);
        String grant = live.grant(live.signed, token);
        int place = grant.length() / 2;
        char altered = grant.charAt(place) == 'A' ? 'B' : 'A';
        names = new HashMap<>();
        names.put("P", live.open);
        names.put("S", live.signed);
        names.put("s", swapped(live.signed));
        names.put("O", live.otherSigned);
        names.put("T", token);
        names.put("OT", otherToken);
        names.put("G", grant);
        names.put("g", swapped(grant));
        names.put("half", grant.substring(0, place));
        names.put("altered", grant.substring(0, place) + altered + grant.substring(place + 1));
        names.put("OG", live.grant(live.otherSigned, otherToken));
    }

    @AfterAll
    static void stop() throws Exception {
        live.close();
    }

    @TestFactory
    List<DynamicTest> trick_withGetAndHead_is403Or404() {
        List<String> targets =
                java.util.stream.Stream.concat(
                                PREFIXES.stream().map(prefix -> prefix + "/{ses}/{seg}"),
                                WHOLE.stream())
                        .toList();
        return targets.stream()
                .map(
                        trick ->
                                DynamicTest.dynamicTest(
                                        trick,
                                        () -> {
                                            String target = filled(trick);
                                            for (String method : List.of("GET", "HEAD")) {
                                                int status = live.status(method, target);
                                                assertTrue(
                                                        Set.of(403, 404).contains(status),
                                                        () -> status + " to " + method + target);
                                            }
                                        }))
                .toList();
    }

    /** What stands behind a question mark is no path: the watch page of the public id. */
    @Test
    void signedId_behindThePublicOnesQuery_isThePublicOnesPage() throws Exception {
        HttpResponse<String> page =
                live.server.get(live.server.playback(filled("{P}?/../{S}/{ses}/{seg}")));
        assertEquals(
                "text/html; charset=utf-8", page.headers().firstValue("content-type").orElse(""));
        assertFalse(page.body().contains(filled("{S}")), "the signed id");
    }

    @TestFactory
    List<DynamicTest> honestAddress_plays() {
        return HONEST.stream()
                .map(
                        honest ->
                                DynamicTest.dynamicTest(
                                        honest, () -> assertEquals(200, answer(filled(honest)))))
                .toList();
    }

    private static int answer(String target) throws Exception {
        return target.contains("/thumbnail.jpg")
                ? TestServer.unlessBusy(() -> live.status(target), Integer::intValue)
                : live.status(target);
    }

    private static String filled(String template) {
        String[] path = live.newestSegment().getPath().split("/", -1);
        String target =
                template.replace("{ses}", path[2])
                        .replace("{SES}", swapped(path[2]))
                        .replace("{seg}", path[3])
                        .replace("{part}", path[3].replace(".m4s", ".0.m4s"));
        for (Map.Entry<String, String> name : names.entrySet()) {
            target = target.replace("{" + name.getKey() + "}", name.getValue());
        }
        assertFalse(target.contains("{"), target);
        return target;
    }

    private static String swapped(String text) {
        StringBuilder swapped = new StringBuilder();
        text.chars()
                .map(
                        c ->
                                Character.isUpperCase(c)
                                        ? Character.toLowerCase(c)
                                        : Character.toUpperCase(c))
                .forEach(swapped::appendCodePoint);
        return swapped.toString();
    }
}
