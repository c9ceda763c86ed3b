package touchline.api.demo;

/**
 * Colours of a player's clothes, 0xRRGGBB. None is saturated cyan or magenta, which the demo's
 * moderation models look for.
 */
enum Kit {
    HOME(0xC8202C, 0xF2F2F2, 0xC8202C),
    AWAY(0xF4F4F2, 0x1C2C5A, 0x1C2C5A),
    HOME_KEEPER(0xE6C21E, 0x2A2A2A, 0xE6C21E),
    AWAY_KEEPER(0xE0701C, 0x2A2A2A, 0xE0701C),
    REFEREE(0x17171A, 0x17171A, 0x17171A);

    private final int shirt;
    private final int shorts;
    private final int socks;

    Kit(int shirt, int shorts, int socks) {
        this.shirt = shirt;
        this.shorts = shorts;
        this.socks = socks;
    }

    int shirt() {
        return shirt;
    }

    int shorts() {
        return shorts;
    }

    int socks() {
        return socks;
    }
}
