package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ResponseHeadersTest {
    private static void offers(String request, String expected) {
        assertEquals(expected, ResponseHeaders.attachment(request, ".mp4"));
    }

    @Test
    void attachment_plainName_isQuoted() {
        offers("match", "attachment; filename=\"match.mp4\"");
        offers("match.mp4", "attachment; filename=\"match.mp4\"");
        offers("Match 1.MP4", "attachment; filename=\"Match 1.mp4\"");
    }

    @Test
    void attachment_foreignLetters_areEncodedBesideAnAsciiName() {
        offers(
                "Tor f\u00fcr Kiel \u20ac 100%",
                "attachment; filename=\"Tor f_r Kiel _ 100_.mp4\";"
                        + " filename*=UTF-8''Tor%20f%C3%BCr%20Kiel%20%E2%82%AC%20100%25.mp4");
    }

    @Test
    void attachment_pathsAndHeaderTricks_becomeOneName() {
        offers("../../etc/passwd", "attachment; filename=\"_.._etc_passwd.mp4\"");
        offers("a\r\nSet-Cookie: x=1", "attachment; filename=\"aSet-Cookie_ x=1.mp4\"");
        offers("a\"; filename=\"b.exe", "attachment; filename=\"a__ filename=_b.exe.mp4\"");
        offers("C:\\x\\y", "attachment; filename=\"C__x_y.mp4\"");
        offers("inno\u202e4pm.exe", "attachment; filename=\"inno4pm.exe.mp4\"");
        offers(".htaccess", "attachment; filename=\"htaccess.mp4\"");
    }

    @Test
    void attachment_nothingLeft_isVideo() {
        offers("", "attachment; filename=\"video.mp4\"");
        offers(" .. ", "attachment; filename=\"video.mp4\"");
        offers("\u0000\n\ud800", "attachment; filename=\"video.mp4\"");
        offers(".mp4", "attachment; filename=\"video.mp4\"");
    }

    @Test
    void attachment_longName_isCutBetweenCharacters() {
        offers("a".repeat(5000), "attachment; filename=\"" + "a".repeat(100) + ".mp4\"");
        String header = ResponseHeaders.attachment("\ud83d\ude00".repeat(200), ".mp4");
        assertEquals(
                "attachment; filename=\""
                        + "_".repeat(100)
                        + ".mp4\"; filename*=UTF-8''"
                        + "%F0%9F%98%80".repeat(100)
                        + ".mp4",
                header);
    }

    @Test
    void common_nextSecond_hasAnotherDate() {
        AtomicReference<Instant> now =
                new AtomicReference<>(Instant.parse("2026-01-02T03:04:05.9Z"));
        ResponseHeaders headers = new ResponseHeaders(now::get);
        assertEquals("Fri, 02 Jan 2026 03:04:05 GMT", headers.common(false).get("date"));
        now.set(Instant.parse("2026-01-02T03:04:06Z"));
        assertEquals("Fri, 02 Jan 2026 03:04:06 GMT", headers.common(false).get("date"));
    }
}
